import type { App } from "#app/app.ts";
import { removeOldActs } from "../queries.server.ts";

/** The cron job's part: removes old rows of the operators' log. */
export async function sweepOperators({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await removeOldActs(db, clock());
}
