import { formatMoney } from "#app/core/money/money.ts";
import type { OrderDiscount } from "#app/modules/orders/order-discount.rules.ts";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { orderDiscountWords } from "./discount.messages.ts";

/** What becomes of a friend's discount as long as it isn't paid; that it is, the order's sums and its timeline say. */
export function OrderDiscountNotice({ discount, locale }: { discount: OrderDiscount; locale: string }) {
  const words = useWords(orderDiscountWords);
  const amount = formatMoney(discount, locale);
  switch (discount.state) {
    case "expected":
      return (
        <Notice kind="info" title={words.title}>
          {words.expected(amount, discount.isReviewed)}
        </Notice>
      );
    case "due":
      return (
        <Notice kind="info" title={words.title}>
          {words.due(amount)}
        </Notice>
      );
    case "under-review":
      return (
        <Notice kind="attention" title={words.title}>
          {words.review[discount.why](amount)}
        </Notice>
      );
    case "refused":
      return (
        <Notice kind="info" title={words.title}>
          {words.refused[discount.why]}
        </Notice>
      );
  }
}
