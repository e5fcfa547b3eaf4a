import type Stripe from "stripe";
import { hashToken } from "#app/core/digest.ts";
import { SetUpError } from "./refusals.ts";

export type SetUp = { stripe: Stripe; isDryRun?: boolean; log: (line: string) => void };

/** One line per thing: what was done with it, or would be. */
export function say({ log }: SetUp, what: "unchanged" | "attention", messages: string): void {
  log(`${what.padEnd(11)}${messages}`);
}

/** Makes the change, unless this run only looks, and says so. Null when nothing was written. */
export async function change<T>(
  setUp: SetUp,
  what: "created" | "updated",
  messages: string,
  write: () => Promise<T>,
): Promise<T | null> {
  const intention = what === "created" ? "to create" : "to update";
  const written = setUp.isDryRun ? null : await write();
  setUp.log(`${(setUp.isDryRun ? intention : what).padEnd(11)}${messages}`);
  return written;
}

/** Everything in it is told with the thing that it was about. */
export async function about<T>(thing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SetUpError ? error : new SetUpError(thing, error);
  }
}

/**
 * Two runs at once make one thing: Stripe keeps an answer for 24 hours and gives it to whoever asks under the same key. When
 * what it speaks of has been taken away since, the thing is made anew under the next key.
 */
export async function createOnce<Wanted, Made>(
  wanted: Wanted,
  cause: string,
  create: (wanted: Wanted, options: Stripe.RequestOptions) => Promise<Stripe.Response<Made>>,
  isThere: (made: Made) => Promise<boolean>,
): Promise<Made> {
  const digest = await hashToken(JSON.stringify([wanted, cause]));
  for (let round = 1; ; round += 1) {
    const made = await create(wanted, { idempotencyKey: `foyer-setup-${digest}-${round}` });
    if (made.lastResponse.headers["idempotent-replayed"] !== "true" || (await isThere(made))) return made;
  }
}
