import { formatSpan } from "#app/core/time/time.ts";
import { reasonTakenMs } from "#app/modules/billing/subscriptions/cancellation-reasons.rules.ts";
import type { Messages } from "#app/core/messages.ts";
import type { PlanRefusal } from "../messages.ts";

/** Why nothing was done. Chosen on the server, so that the browser loads none of them. */
const en: Record<Exclude<PlanRefusal["reason"], "too-many-retries" | "payment-unconfirmed">, string> = {
  "no-plan": "You don't have an active plan.",
  "cancelled-already": "Your plan is already cancelled. You can use it until it ends.",
  "not-cancelled": "Your plan isn't cancelled, so there's nothing to undo.",
  "nothing-cancelled": `You haven't cancelled a plan in the past ${formatSpan(reasonTakenMs)}.`,
  "nothing-planned": "There's no scheduled change to cancel.",
  "nothing-due": "There's nothing to pay.",
  "payment-in-process": "Your bank is still processing a payment. Try again once that's finished.",
  "not-on-sale": "Paid plans aren't available yet.",
  "provider-unreachable": "Stripe isn't responding at the moment. Nothing has changed. Try again in a minute.",
  "provider-refused": "Stripe didn't accept this. Nothing has changed. If it happens again, contact us.",
};

export const planRefusalMessages: Messages<typeof en> = { en };
