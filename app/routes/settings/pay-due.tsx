import { Form } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { cardExpiryOf } from "#app/modules/billing/subscriptions/card.rules.ts";
import type { Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { nameMethod } from "#app/modules/billing/subscriptions/reminders.rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { payDueMessages } from "./messages.ts";

/** What is due and how it can be paid. `pay` is null if the stored card can't be charged any more. */
export type DuePayment = { order: string; another: "card" | "method"; pay: string | null };

type Charged = Pick<Subscription, "cardBrand" | "cardLast4" | "cardExpires">;

export function duePayment(
  order: Pick<Order, "id" | "amountMinor" | "currency">,
  running: Charged | null,
  reader: { locale: string; now: number },
): DuePayment {
  const { pay } = payDueMessages.en;
  const isExpired = cardExpiryOf(running?.cardExpires ?? null, reader.now) === "expired";
  return {
    order: order.id,
    another: running?.cardBrand && running.cardExpires === null ? "method" : "card",
    pay: isExpired ? null : pay(formatMoney(order, reader.locale), running && nameMethod(running)),
  };
}

type PayDueProps = {
  payment: DuePayment;
  /** The plan's page, which answers both forms. */
  planPath: string;
  /** Something more urgent has the page's main button. */
  isSecond?: boolean;
  wide?: boolean;
};

/** After a decline another card leads: the one that was declined would most likely be declined again. */
export function PayDue({ payment, planPath, isSecond = false, wide = false }: PayDueProps) {
  const messages = useMessages(payDueMessages);
  const isPaying = usePending("intent", "retry");
  const isUpdating = usePending("intent", "update-card");
  return (
    <div className={wide ? "stack" : "row"}>
      <Form method="post" action={planPath} {...documentForm}>
        <Button
          kind={isSecond ? "quiet" : "primary"}
          wide={wide}
          name="intent"
          value="update-card"
          pending={isUpdating}
          pendingLabel={messages.toStripe}
        >
          {messages.another[payment.another]}
        </Button>
      </Form>
      {payment.pay !== null && (
        <Form method="post" action={planPath}>
          <input type="hidden" name="order" value={payment.order} />
          <Button wide={wide} name="intent" value="retry" pending={isPaying} pendingLabel={messages.paying}>
            {payment.pay}
          </Button>
        </Form>
      )}
    </div>
  );
}
