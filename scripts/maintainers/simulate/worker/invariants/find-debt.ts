import type Stripe from "stripe";
import type { World } from "../world.ts";

/** An account's open invoice at Stripe, of a plan whose renewal failed. Null as long as the site still has to hear of something. */
export async function findDebt(world: World, accountId: string): Promise<{ invoice: string } | null> {
  const { records } = world;
  const customer = records.customerOf(accountId);
  const owing = records
    .objects<Stripe.Subscription>("subscription")
    .filter(
      (each) =>
        each.customer === customer && ["past_due", "unpaid"].includes(each.status) && each.pause_collection === null,
    );
  const open = records
    .objects<Stripe.Invoice>("invoice")
    .find(
      ({ status, attempt_count: attempts, parent }) =>
        status === "open" &&
        attempts > 0 &&
        owing.some(({ id }) => id === String(parent?.subscription_details?.subscription)),
    );
  if (!open?.id) return null;
  const unheard = await records.query("select 1 from webhook_events where state in ('received', 'failed') limit 1");
  return unheard.length > 0 ? null : { invoice: open.id };
}
