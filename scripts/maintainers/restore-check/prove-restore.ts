import type { Site } from "#tests/support/site/site.ts";
import {
  compareAccounts,
  type Compared,
  countLostVisits,
  countSentAgain,
  listLostRows,
  listReusedNumbers,
} from "./compare.rules.ts";
import { copyRows, restoreRows } from "./database-copy.ts";
import { liveBeforeTheHour, liveTheHour, repair } from "./lost-hour.ts";
import { readAccountStates, readStripeStates } from "./read-states.ts";

export type Proof = Compared & {
  lost: string[];
  reusedNumbers: string[];
  sentAgain: number;
  lostVisits: number;
  accounts: number;
};

/**
 * A month and an hour at a site; then its database is put back to before the hour, as D1's Time Travel does, and the cron job runs. Stripe
 * doesn't forget: what it says, and the database that lost nothing, are compared with the repaired one.
 */
export async function proveRestore(site: Site): Promise<Proof> {
  if (site.stripe === null) throw new Error("There is no Stripe emulator");
  const { link } = await liveBeforeTheHour(site);
  const before = await copyRows(await site.database());
  await liveTheHour(site, { link });
  const complete = await copyRows(await site.database());
  const completeStates = await readAccountStates(await site.database());
  await restoreRows(await site.database(), before);
  await repair(site);
  const restored = await copyRows(await site.database());
  const restoredStates = await readAccountStates(await site.database());
  return {
    ...compareAccounts(completeStates, restoredStates, await readStripeStates(site.stripe.sdk)),
    lost: listLostRows(complete, restored),
    lostVisits: countLostVisits(complete, restored),
    reusedNumbers: listReusedNumbers(complete, restored),
    sentAgain: countSentAgain(before, complete, restored),
    accounts: restoredStates.length,
  };
}
