import type { Base, Outbox } from "#app/app.ts";
import { isPriceDifferent } from "#app/core/stripe/provider-refusal.ts";
import { type BuyerTrouble, translateFailure } from "../provider.rules.ts";
import { rememberUnsold } from "./compare-prices.server.ts";

type Deps = Pick<Base & Outbox, "db" | "clock" | "report">;
type Refused = { reason: string; code?: string; difference?: string };

/** What a buyer is told about a refused call to Stripe. A price that differs is remembered: the plan isn't on sale until it is right. */
export async function refuseBuyer<Refusal extends Refused>(
  app: Deps,
  refusal: Refusal,
): Promise<Refusal | BuyerTrouble> {
  if (isPriceDifferent(refusal)) await rememberUnsold(app, refusal.difference ?? "");
  return translateFailure(refusal);
}
