import { formatMoney } from "#app/core/money/money.ts";
import type { OrderDiscount } from "#app/modules/orders/order-discount.rules.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { orderDiscountMessages } from "./discount.messages.ts";

/** The state of a friend's discount until it is paid out; after that, the order's totals and timeline show it. */
export function OrderDiscountNotice({ discount, locale }: { discount: OrderDiscount; locale: string }) {
  const messages = useMessages(orderDiscountMessages);
  const amount = formatMoney(discount, locale);
  switch (discount.state) {
    case "expected":
      return (
        <Notice kind="info" title={messages.title}>
          {messages.expected(amount, discount.isUnderReview)}
        </Notice>
      );
    case "due":
      return (
        <Notice kind="info" title={messages.title}>
          {messages.due(amount)}
        </Notice>
      );
    case "under-review":
      return (
        <Notice kind="attention" title={messages.title}>
          {messages.review[discount.why](amount)}
        </Notice>
      );
    case "refused":
      return (
        <Notice kind="info" title={messages.title}>
          {messages.refused[discount.why](amount)}
        </Notice>
      );
  }
}
