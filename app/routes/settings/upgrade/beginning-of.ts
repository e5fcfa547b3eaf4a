import type { offerPlan } from "#app/workflows/offer-plan.server.ts";

type Offer = Awaited<ReturnType<typeof offerPlan>>["offer"];

/** When the chosen plan begins. */
export function beginningOf(offer: Offer, now: number): number {
  if (offer?.kind === "later") return offer.beginsAt;
  return (offer?.kind === "end" && offer.endsAt) || now;
}
