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
} from "../everyone.queries.server.ts";
import { hashFormerAddresses } from "./hash-former-addresses.server.ts";

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
