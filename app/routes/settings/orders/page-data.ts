import type { Route } from "./+types/route";
import type { Account } from "#app/modules/accounts/rules.ts";
import type { OrderDetail } from "#app/modules/order-history/reads/browse-orders.server.ts";
import type { OrderDiscount } from "#app/modules/orders/order-discount.rules.ts";
import type { Seller } from "#app/modules/orders/rules.ts";

/** What the page knows. */
export type OrdersPageData = Route.ComponentProps["loaderData"];

export type DetailProps = {
  account: Account;
  detail: OrderDetail;
  /** A friend's discount that isn't paid. */
  discount: OrderDiscount | null;
  seller: Seller;
  planName: string;
  planPath: string;
  /** Days as their reader writes them, where there are such. */
  days: { nextTry: string | null; withdrawUntil: string | null };
  /** Back to the list as it stood. */
  backPath: string;
};
