/** The emails to a friend about a discount under review or refused. Called where a discount is opened, refused or decided. */
import type { OrderId } from "#app/core/id.ts";
import { formatMoney } from "#app/core/money/money.ts";
import type {
  DiscountRefusal,
  DiscountReview,
  DiscountState,
} from "#app/modules/billing/orders/order-discount.rules.ts";
import { orderPath } from "#app/core/page-paths.ts";

type DiscountFacts = {
  orderId: OrderId;
  state: DiscountState;
  why: DiscountReview | DiscountRefusal | null;
  amountMinor: number;
  currency: string;
};

/** Null if there is no email, or if the refund's email says it. */
export function writeDiscountEmail(
  { origin }: { origin: string },
  { locale }: { locale: string },
  { state, why, orderId, ...amount }: DiscountFacts,
) {
  const facts = { amount: formatMoney(amount, locale), url: origin + orderPath(orderId) };
  if (state === "under-review" && (why === "payment-method" || why === "domain" || why === "provider")) {
    return { template: "friend-discount-review", why, ...facts } as const;
  }
  const isDecided = why === "known-mailbox" || why === "known-method" || why === "operator";
  return state === "refused" && isDecided ? ({ template: "friend-discount-refused", why, ...facts } as const) : null;
}
