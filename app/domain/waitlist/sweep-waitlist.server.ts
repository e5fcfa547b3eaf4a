import type { App } from "#app/context.ts";
import { removeUnconfirmed } from "./store.server.ts";

/** The clock's share: addresses that nobody confirmed in their seven days are forgotten. Safe to run twice. */
export async function sweepWaitlist(app: Pick<App, "db" | "clock">): Promise<void> {
  await removeUnconfirmed(app.db, app.clock());
}
