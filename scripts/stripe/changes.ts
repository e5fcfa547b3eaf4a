import type Stripe from "stripe";
import { hashToken } from "#app/core/hash.ts";
import { isSaid, SetUpError } from "./refusals.ts";

export type SetUp = { stripe: Stripe; isDryRun?: boolean; log: (line: string) => void };

/** Prints one line per object: what was changed, or would be. */
export function say({ log }: SetUp, what: "unchanged" | "attention", message: string): void {
  log(`${what.padEnd(11)}${message}`);
}

/** Makes the change, except in a dry run, and prints it. Null when nothing was written. */
export async function change<T>(
  setUp: SetUp,
  what: "created" | "updated",
  message: string,
  write: () => Promise<T>,
): Promise<T | null> {
  const intention = what === "created" ? "to create" : "to update";
  const written = setUp.isDryRun ? null : await write();
  setUp.log(`${(setUp.isDryRun ? intention : what).padEnd(11)}${message}`);
  return written;
}

/** Errors inside are reported with the object they concern. */
export async function about<T>(thing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isSaid(error) ? error : new SetUpError(thing, error);
  }
}

/** Half a minute: Stripe answers 409 while another run's call with the same idempotency key isn't answered, and the SDK tries again. */
const maxNetworkRetries = 8;

/**
 * Two concurrent runs create one object: Stripe stores a response for 24 hours and returns it to every call with the same idempotency key.
 * If the object has been deleted since, it is created again under the next key.
 */
export async function createOnce<Wanted, Made>(
  wanted: Wanted,
  trigger: string,
  create: (wanted: Wanted, options: Stripe.RequestOptions) => Promise<Stripe.Response<Made>>,
  isThere: (made: Made) => Promise<boolean>,
): Promise<Made> {
  const digest = await hashToken(JSON.stringify([wanted, trigger]));
  for (let round = 1; ; round += 1) {
    const made = await create(wanted, { idempotencyKey: `foyer-setup-${digest}-${round}`, maxNetworkRetries });
    if (made.lastResponse.headers["idempotent-replayed"] !== "true" || (await isThere(made))) return made;
  }
}
