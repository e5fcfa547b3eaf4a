import type { App } from "#app/context.ts";
import type { Viewer } from "./rules.ts";
import { changeSessionState } from "./store.server.ts";

/** Signs this browser out. Acts on the very next request: every one asks the table. Twice is as good as once. */
export async function endSession(app: Pick<App, "db" | "clock">, viewer: Viewer): Promise<void> {
  await changeSessionState(app.db, { id: viewer.session.id, accountId: viewer.account.id }, "signed-out", app.clock());
}
