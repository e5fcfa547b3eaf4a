import type { Base, Outbox } from "#app/app.ts";
import { isPriceDifferent } from "#app/core/stripe/provider-refusal.ts";
import { dayMs } from "#app/core/time/time.ts";
import { changeJobCursorOnce } from "#app/db/job-cursors.server.ts";
import { type BuyerTrouble, translateFailure } from "../provider.rules.ts";

type Deps = Pick<Base & Outbox, "db" | "clock" | "report">;
type Refused = { reason: string; code?: string; difference?: string };

/** What a buyer is told about a refused call to Stripe. The team is told about a price once a day, however many buyers are refused. */
export async function refuseBuyer<Refusal extends Refused>(
  app: Deps,
  refusal: Refusal,
): Promise<Refusal | BuyerTrouble> {
  if (isPriceDifferent(refusal)) await reportPrice(app, refusal.difference ?? "");
  return translateFailure(refusal);
}

/** `difference` begins with the price's lookup key. */
async function reportPrice({ db, clock, report }: Deps, difference: string): Promise<void> {
  const [key] = difference.split(" ");
  const day = Math.floor(clock() / dayMs);
  const { meta } = await changeJobCursorOnce(db, `price-differs.${key}`, day);
  if (meta.changes === 1) report(new Error(`A plan isn't on sale: its price ${difference}`));
}
