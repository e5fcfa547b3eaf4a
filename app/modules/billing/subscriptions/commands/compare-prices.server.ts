import type { Base, Outbox, PaymentAccess, Site } from "#app/app.ts";
import { done, type Result } from "#app/core/result.ts";
import type { ProviderRefusal } from "#app/core/stripe/provider-refusal.ts";
import { dayMs, hourMs } from "#app/core/time/time.ts";
import { changeJobCursorOnce } from "#app/db/job-cursors.server.ts";
import {
  addUnsoldPrice,
  listUnsoldPrices,
  readUnsoldPrices,
  removeUnsoldPrices,
} from "#app/modules/catalogue/unsold-prices.queries.server.ts";
import { shownPrices } from "#app/modules/catalogue/shown-prices.rules.ts";

type Reporting = Pick<Base & Outbox, "db" | "clock" | "report">;
type Deps = Reporting & Pick<PaymentAccess, "payments">;

/**
 * Compares Stripe's prices with those that pages show: all of them once an hour, those that differ in each run, so that a plan is on sale
 * again within a minute.
 */
export async function compareSoldPrices(app: Deps & Pick<Site, "product">): Promise<void> {
  const { db, clock, product, payments } = app;
  if (!payments) return;
  const unsold = readUnsoldPrices(await listUnsoldPrices(db));
  const { meta } = await changeJobCursorOnce(db, "prices", Math.floor(clock() / hourMs));
  const shown = shownPrices(product);
  const gone = [...unsold].filter((key) => !shown.some((each) => each.key === key));
  if (gone.length > 0) await removeUnsoldPrices(db, gone);
  await comparePrices(app, meta.changes === 1 ? shown : shown.filter(({ key }) => unsold.has(key)));
}

/** The keys of those prices that aren't on sale, which is remembered. */
export async function comparePrices(
  app: Deps,
  shown: ReturnType<typeof shownPrices>,
): Promise<Result<ReadonlySet<string>, ProviderRefusal>> {
  if (!app.payments || shown.length === 0) return done(new Set());
  const answer = await app.payments.comparePrices(shown);
  if (!answer.ok) return answer;
  for (const difference of answer.value) await rememberUnsold(app, difference);
  const unsold = new Set(answer.value.map(keyOf));
  await removeUnsoldPrices(
    app.db,
    shown.map(({ key }) => key).filter((key) => !unsold.has(key)),
  );
  return done(unsold);
}

/** The team is told about a price once a day, however many buyers are refused. */
export async function rememberUnsold({ db, clock, report }: Reporting, difference: string): Promise<void> {
  const { meta } = await addUnsoldPrice(db, keyOf(difference), Math.floor(clock() / dayMs));
  if (meta.changes === 1) report(new Error(`A plan isn't on sale: its price ${difference}`));
}

/** A difference begins with the price's lookup key. */
function keyOf(difference: string): string {
  return difference.split(" ")[0] ?? "";
}
