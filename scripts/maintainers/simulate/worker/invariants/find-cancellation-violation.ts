import type Stripe from "stripe";
import { dayMs, minuteMs, secondMs } from "#app/core/time/time.ts";
import type { Broken } from "../../story.ts";
import type { World } from "../world.ts";

/** Days until the site knows of a payment whose webhook is late or lost. */
const whenHeardMs = 6 * dayMs;
const noticeMsMax = 31 * dayMs;

/**
 * A plan is set to end only because its owner asked for it, here or on `/cancel`, and hasn't taken that back since. Compares Stripe's
 * subscriptions with what people asked for.
 */
export function findCancellationViolation(world: World): Broken | null {
  const owners = ownersOf(world);
  for (const plan of world.records.objects<Stripe.Subscription>("subscription")) {
    const accountId = owners.get(String(plan.customer));
    if (accountId === undefined || plan.cancel_at === null || plan.canceled_at === null) continue;
    const at = plan.canceled_at * secondMs;
    const asked = world.cancellations.askedUntil(accountId, at + minuteMs);
    const details = { plan: plan.id, accountId, at };
    if (asked.length === 0) return { invariant: "a plan is cancelled only if its owner asked for it", details };
    const until = plan.ended_at === null ? world.now() : plan.ended_at * secondMs;
    if (world.cancellations.isResumedBetween(accountId, at + minuteMs, until))
      return { invariant: "a plan whose cancellation was undone goes on", details };
    const wantedAt = Math.max(...asked.map((each) => each.wantedAt ?? 0));
    const broken = endsWhenPromised(world, plan, wantedAt);
    if (broken) return broken;
  }
  return null;
}

/** The account of each customer that Stripe has. */
function ownersOf({ records }: World): Map<string, string> {
  return new Map(
    records.objects<Stripe.Customer>("customer").flatMap(({ id, metadata }) => {
      const accountId = Object.values(metadata ?? {}).find((value) => value.startsWith("acc_"));
      return accountId === undefined ? [] : [[id, accountId] as const];
    }),
  );
}

/** A first term isn't cut short. One that was renewed for a year ends with a month's notice, unless a later day was wanted. */
function endsWhenPromised({ records, product }: World, plan: Stripe.Subscription, wantedAt: number): Broken | null {
  const [item] = plan.items.data;
  const periodEnd = item?.current_period_end ?? 0;
  const askedAt = plan.canceled_at ?? 0;
  const renewal = records
    .objects<Stripe.Invoice>("invoice")
    .find(
      (invoice) =>
        String(invoice.parent?.subscription_details?.subscription) === plan.id &&
        invoice.billing_reason === "subscription_cycle" &&
        invoice.status === "paid" &&
        invoice.lines.data.some(({ amount, period }) => amount > 0 && period.end === periodEnd),
    );
  const hasNotice =
    product.afterFirstTerm === "month-notice" && item?.price.recurring?.interval === "year" && renewal !== undefined;
  const endsAt = plan.cancel_at ?? periodEnd;
  const details = { plan: plan.id, askedAt, endsAt, periodEnd, wantedAt };
  if (!hasNotice) return endsAt < periodEnd ? { invariant: "a first term isn't cut short", details } : null;
  const isKnown = askedAt - (renewal.status_transitions.paid_at ?? Infinity) > whenHeardMs / secondMs;
  // The end of the wanted day, in any time zone.
  const latest = Math.max(askedAt * secondMs + noticeMsMax + minuteMs, wantedAt === 0 ? 0 : wantedAt + 2 * dayMs);
  return isKnown && endsAt * secondMs > latest
    ? { invariant: "a renewed year ends with a month's notice", details }
    : null;
}

/** Everything that was declared is confirmed to the address that it gave, once; that it isn't repeated is another invariant. */
export async function findSettledCancellationViolation({ records, emails }: World): Promise<Broken | null> {
  const rows = await records.query<{ id: string; address: string }>(
    "select id, address from cancellations where address <> ''",
  );
  const sent = new Map(emails.map(({ id, to }) => [id, to]));
  const silent = rows.find(({ id, address }) => sent.get(`mail_${id}`)?.toLowerCase() !== address.toLowerCase());
  return silent
    ? { invariant: "a declared cancellation is confirmed to the address that it gave", details: silent }
    : null;
}
