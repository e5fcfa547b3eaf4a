import { formatMoney } from "#app/core/money/money.ts";
import type { OrderDiscount } from "#app/modules/billing/orders/order-discount.rules.ts";
import { orderDiscountMessages } from "./messages.ts";

/** The state of a friend's discount until it is paid out, as the pages of its order and its payment say it. */
export function sayDiscount(discount: OrderDiscount, locale: string) {
  const { title, ...messages } = orderDiscountMessages.en;
  const amount = formatMoney(discount, locale);
  switch (discount.state) {
    case "expected":
      return { kind: "info", title, text: messages.expected(amount, discount.isUnderReview) } as const;
    case "due":
      return { kind: "info", title, text: messages.due(amount) } as const;
    case "under-review":
      return { kind: "attention", title, text: messages.review[discount.why](amount) } as const;
    case "refused":
      return { kind: "info", title, text: messages.refused[discount.why](amount) } as const;
  }
}
