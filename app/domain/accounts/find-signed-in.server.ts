import type { App } from "#app/context.ts";
import { hashToken } from "#app/domain/kernel/digest.ts";
import { lastUseGrainMs, type Viewer } from "./rules.ts";
import { changeLastUse } from "./sessions.store.server.ts";
import { findViewer } from "./store.server.ts";

/** Who carries this session token, if anybody. Notes the use when the note is older than its grain, after the answer. */
export async function findSignedIn(app: Pick<App, "db" | "clock" | "later">, token: string): Promise<Viewer | null> {
  const now = app.clock();
  const viewer = await findViewer(app.db, await hashToken(token), now);
  if (viewer && now - viewer.session.lastUsedAt > lastUseGrainMs) {
    app.later(Promise.resolve(changeLastUse(app.db, viewer.session.id, now)));
  }
  return viewer;
}
