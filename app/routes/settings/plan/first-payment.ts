import { failureClasses, type Order } from "#app/modules/orders/rules.ts";
import type { paymentReasonsMessages } from "#app/routes/payment/reasons.messages.ts";
import type { planMessages } from "./messages.ts";

type Texts = { plan: (typeof planMessages)["en"]; reasons: (typeof paymentReasonsMessages)["en"] };

/**
 * What the plan page and the overview say about a first payment that hasn't arrived: the bank is processing it, or the customer has to
 * act.
 */
export function sayFirstPayment({ state, failure }: Pick<Order, "state" | "failure">, plan: string, texts: Texts) {
  const { starting, unfinished, declined } = texts.plan;
  if (state === "processing") {
    return { title: starting.title(plan), text: starting.text, link: starting.link, isUnderWay: true };
  }
  if (state !== "failed") {
    return { title: unfinished.title(plan), text: unfinished.text(plan), link: unfinished.link, isUnderWay: false };
  }
  const known = failureClasses.find((each) => each === failure) ?? "other";
  return { title: declined.title(plan), text: texts.reasons[known], link: declined.link, isUnderWay: false };
}
