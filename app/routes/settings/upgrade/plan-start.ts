import type { offerPlan } from "#app/workflows/offer-plan.server.ts";

type Offer = Awaited<ReturnType<typeof offerPlan>>["offer"];

/** At the end of the period if it was chosen for then, otherwise now: what is charged at once also begins at once. */
export function planStartsAt(offer: Offer, now: number): number {
  if (offer?.kind === "later") return offer.beginsAt;
  return (offer?.kind === "end" && offer.endsAt) || now;
}
