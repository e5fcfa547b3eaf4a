import type { App } from "#app/app.ts";
import { removeOldBrowsers, removeOldStreaks } from "#app/modules/accounts/codes/quotas.queries.server.ts";
import { removeOldUses } from "#app/modules/accounts/codes/quota-uses.queries.server.ts";
import {
  startCodesAtSending,
  expireCodes,
  expireUnsent,
  removeOldCodes,
} from "#app/modules/accounts/codes/expiry.queries.server.ts";
import { removeOldActivities } from "../activities.queries.server.ts";
import { removeOldAddressChanges } from "../address-changes.queries.server.ts";
import { hashFormerAddresses } from "./hash-former-addresses.server.ts";
import { expireSessions, removeEndedSessions } from "../sessions.queries.server.ts";

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
