import type { App } from "#app/app.ts";
import { hashToken } from "#app/core/digest.ts";
import { lastUseGrainMs, type Viewer } from "../rules.ts";
import type { Claim } from "../commands/session-pass.server.ts";
import { changeLastUse } from "../sessions.queries.server.ts";
import { findViewer } from "../queries.server.ts";

/**
 * Who has this session, if anybody, and if it is who the claim says: pages are read by it meanwhile. Notes the use when the note is
 * older than its grain, after the answer.
 */
export async function findSignedIn(
  app: Pick<App, "db" | "clock" | "later">,
  claim: Claim,
  find = findViewer,
): Promise<Viewer | null> {
  const now = app.clock();
  const viewer = await find(app.db, await hashToken(claim.sessionToken), now);
  if (viewer?.account.id !== claim.accountId) return null;
  if (now - viewer.session.lastUsedAt > lastUseGrainMs) {
    app.later(Promise.resolve(changeLastUse(app.db, viewer.session.id, now)));
  }
  return viewer;
}
