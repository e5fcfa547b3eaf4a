import type { App } from "#app/app.ts";
import { removeOldChallenges } from "../queries.server.ts";

/** The clock's share: challenges that were used and have run out since. */
export async function sweepPasskeys(app: Pick<App, "db" | "clock">): Promise<void> {
  await removeOldChallenges(app.db, app.clock());
}
