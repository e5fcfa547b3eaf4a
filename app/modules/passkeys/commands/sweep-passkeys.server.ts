import type { App } from "#app/app.ts";
import { removeOldChallenges } from "../queries.server.ts";

/** The cron job's part: removes used challenges that have expired. */
export async function sweepPasskeys(app: Pick<App, "db" | "clock">): Promise<void> {
  await removeOldChallenges(app.db, app.clock());
}
