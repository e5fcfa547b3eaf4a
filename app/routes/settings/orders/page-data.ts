import type { Route } from "./+types/route";
import type { Account } from "#app/modules/accounts/rules.ts";
import type { OrderDetail } from "#app/modules/order-history/reads/browse-orders.server.ts";
import type { OrderDiscount } from "#app/modules/orders/order-discount.rules.ts";
import type { Seller } from "#app/modules/orders/rules.ts";

/** The page's data. */
export type OrdersPageData = Route.ComponentProps["loaderData"];

export type DetailProps = {
  account: Account;
  detail: OrderDetail;
  /** A friend's discount that isn't paid out. */
  discount: OrderDiscount | null;
  seller: Seller;
  planName: string;
  planPath: string;
  /** Formatted dates, where there are any. */
  days: { nextTry: string | null; withdrawUntil: string | null };
  /** Link back to the list with the same filter and page. */
  backPath: string;
};
