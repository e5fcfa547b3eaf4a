import type { App } from "#app/context.ts";
import { removeOldBrowsers, removeOldStreaks } from "#app/domain/codes/budgets.store.server.ts";
import { removeOldUses } from "#app/domain/codes/uses.store.server.ts";
import { countFromSending, expireCodes, expireUnsent, removeOldCodes } from "#app/domain/codes/lives.store.server.ts";
import { removeOldActivities } from "./activities.store.server.ts";
import { removeOldAddressChanges } from "./address-changes.store.server.ts";
import { hashFormerAddresses } from "./hash-former-addresses.server.ts";
import { expireSessions } from "./sessions.store.server.ts";

/** The clock's share: codes, budgets, browsers and changes of address past their use go, sessions past their limits are said to be over. */
export async function sweepAccounts(app: Pick<App, "db" | "clock" | "pepper">): Promise<void> {
  const now = app.clock();
  await app.db.batch([
    removeOldCodes(app.db, now),
    countFromSending(app.db, now),
    expireUnsent(app.db, now),
    expireCodes(app.db, now),
    removeOldUses(app.db, now),
    removeOldStreaks(app.db, now),
    removeOldBrowsers(app.db, now),
    ...expireSessions(app.db, now),
    removeOldAddressChanges(app.db, now),
    removeOldActivities(app.db, now),
  ]);
  await hashFormerAddresses(app);
}
