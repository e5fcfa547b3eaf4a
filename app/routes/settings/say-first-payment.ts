import { formatMoney } from "#app/core/money/money.ts";
import { reviewPath } from "#app/core/page-paths.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { failureClassOf, paymentPath } from "#app/modules/billing/orders/states.rules.ts";
import { paymentReasonsMessages } from "#app/routes/payment/messages.ts";
import { firstPaymentMessages } from "./messages.ts";

/**
 * What the plan page and the overview say about a first payment that hasn't arrived: the bank is processing it, or the customer has to
 * act.
 */
export function sayFirstPayment(order: Order, plan: string, { locale }: { locale: string }) {
  const { starting, unfinished, confirming, declined, giveUp } = firstPaymentMessages.en;
  const { state } = order;
  // The bank's own page confirms a payment. Otherwise the order is reviewed and paid again.
  const to = state === "processing" || state === "needs-action" ? paymentPath(order) : reviewPath(order);
  if (state === "processing") {
    return {
      title: starting.title(plan, formatMoney(order, locale)),
      text: starting.text,
      link: starting.link,
      to,
      giveUp: null,
    };
  }
  if (state === "needs-action") {
    const { title, text, link } = confirming;
    return { title: title(plan), text, link, to, giveUp };
  }
  if (state !== "failed") {
    return { title: unfinished.title(plan), text: unfinished.text(plan), link: unfinished.link, to, giveUp };
  }
  const text = declined.text(paymentReasonsMessages.en[failureClassOf(order)]);
  return { title: declined.title(plan), text, link: declined.link, to, giveUp };
}
