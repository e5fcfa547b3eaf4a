import type { App } from "#app/app.ts";
import { removeOldActs } from "../queries.server.ts";

/** The clock's share: lines of the log that nobody asks for any more. */
export async function sweepOperators({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await removeOldActs(db, clock());
}
