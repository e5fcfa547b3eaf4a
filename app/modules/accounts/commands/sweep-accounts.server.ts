import type { App } from "#app/app.ts";
import {
  removeOldBrowsers,
  removeOldStreaks,
  removeOldUses,
  expireCodes,
  expireUnsent,
  removeOldCodes,
} from "#app/modules/accounts/codes/everyone.queries.server.ts";
import { startCodesAtSending } from "#app/modules/accounts/codes/expiry.queries.server.ts";
import {
  removeOldActivities,
  removeOldAddressChanges,
  expireSessions,
  removeEndedSessions,
  listUnhashed,
} from "../everyone.queries.server.ts";
import { formerAddressHash, openFormerAddress } from "../former-addresses.rules.ts";
import { changeAddressHash } from "../former-addresses.queries.server.ts";

/**
 * The cron job's part: removes outdated codes, quota uses, browsers and changes of address, marks sessions past their limits as expired, and
 * removes ended ones after ninety days.
 */
export async function sweepAccounts(app: Pick<App, "db" | "clock" | "pepper">): Promise<void> {
  const now = app.clock();
  await app.db.batch([
    removeOldCodes(app.db, now),
    startCodesAtSending(app.db, now),
    expireUnsent(app.db, now),
    expireCodes(app.db, now),
    removeOldUses(app.db, now),
    removeOldStreaks(app.db, now),
    removeOldBrowsers(app.db, now),
    ...expireSessions(app.db, now),
    removeEndedSessions(app.db, now),
    removeOldAddressChanges(app.db, now),
    removeOldActivities(app.db, now),
  ]);
  await hashFormerAddresses(app);
}

/** Former addresses hashed per run of the cron job. */
const addressesMax = 50;

/** Adds the search hash to former addresses that were stored without one. Idempotent. */
async function hashFormerAddresses({ db, pepper }: Pick<App, "db" | "pepper">): Promise<void> {
  const rows = await listUnhashed(db, addressesMax);
  for (const row of rows) {
    const opened = await openFormerAddress(pepper, row);
    await changeAddressHash(db, row.id, opened ? await formerAddressHash(pepper, opened.address) : "");
  }
}
