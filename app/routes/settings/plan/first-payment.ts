import { reviewPath } from "#app/core/page-paths.ts";
import { failureClasses, type Order } from "#app/modules/orders/rules.ts";
import { paymentPath } from "#app/modules/orders/unconfirmed.rules.ts";
import type { paymentReasonsMessages } from "#app/routes/payment/reasons.messages.ts";
import type { planMessages } from "./messages.ts";

type Texts = { plan: (typeof planMessages)["en"]; reasons: (typeof paymentReasonsMessages)["en"] };

/**
 * What the plan page and the overview say about a first payment that hasn't arrived: the bank is processing it, or the customer has to
 * act.
 */
export function sayFirstPayment(order: Order, plan: string, texts: Texts) {
  const { starting, unfinished, declined } = texts.plan;
  const { state, failure } = order;
  // The bank's own page confirms a payment. Otherwise the order is reviewed and paid again.
  const to = state === "processing" || state === "needs-action" ? paymentPath(order) : reviewPath(order);
  if (state === "processing") {
    return { title: starting.title(plan), text: starting.text, link: starting.link, to, isUnderWay: true };
  }
  if (state === "needs-action") {
    const { title, text, link } = texts.plan.confirming;
    return { title: title(plan), text, link, to, isUnderWay: false };
  }
  if (state !== "failed") {
    return { title: unfinished.title(plan), text: unfinished.text(plan), link: unfinished.link, to, isUnderWay: false };
  }
  const known = failureClasses.find((each) => each === failure) ?? "other";
  return { title: declined.title(plan), text: texts.reasons[known], link: declined.link, to, isUnderWay: false };
}
