import { formatDay, type Reader } from "#app/core/time/time.ts";
import type { offerPlan } from "#app/workflows/offer-plan.server.ts";
import { nextPeriodMessages } from "./messages.ts";

type Offer = Awaited<ReturnType<typeof offerPlan>>["offer"];

/** Why an immediate change is scheduled instead, and how to have it now. Null if it was offered as scheduled. */
export function sayInstead(offer: Offer, reader: Reader) {
  if (offer?.kind !== "later" || !offer.instead) return null;
  const { en: messages } = nextPeriodMessages;
  const { title, text } = messages[offer.instead];
  const { card, button, pending } = messages["payment-method"];
  return {
    title,
    text: text(formatDay(offer.beginsAt, reader)),
    useCard: offer.instead === "payment-method" ? { text: card, button, pending } : null,
  };
}
