import type { App } from "#app/context.ts";
import { removeOldUses } from "#app/domain/codes/budgets.store.server.ts";
import { expireCodes, removeOldCodes } from "#app/domain/codes/store.server.ts";
import { removeOldAddressChanges } from "./address-changes.store.server.ts";
import { expireSessions } from "./store.server.ts";

/** The clock's share: codes, budgets and changes of address past their use go, sessions past their limits are said to be over. */
export async function sweepAccounts(app: Pick<App, "db" | "clock">): Promise<void> {
  const now = app.clock();
  await app.db.batch([
    removeOldCodes(app.db, now),
    expireCodes(app.db, now),
    removeOldUses(app.db, now),
    expireSessions(app.db, now),
    removeOldAddressChanges(app.db, now),
  ]);
}
