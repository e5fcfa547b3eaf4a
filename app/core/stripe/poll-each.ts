import type { Result } from "../result.ts";

/** Unanswered polls in a row after which Stripe counts as down and the run of the cron job ends. */
const timeoutsMax = 2;

/** Whether Stripe answered at all; a refusal counts. */
export function isAnswered(result: Result<unknown, { reason: string }>): boolean {
  return result.ok || result.refusal.reason !== "provider-unreachable";
}

/**
 * Asks Stripe about one item after another, as cron jobs do. `poll` returns whether Stripe answered. An item whose data violates an
 * invariant is reported and doesn't delay the others. Returns false if Stripe counts as down and items are left.
 */
export async function pollEach<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  poll: (item: Item) => Promise<boolean>,
  report: (error: unknown) => void,
): Promise<boolean> {
  let timeouts = 0;
  for await (const item of items) {
    if (timeouts === timeoutsMax) return false;
    try {
      timeouts = (await poll(item)) ? 0 : timeouts + 1;
    } catch (error) {
      report(error);
    }
  }
  return true;
}
