import type { App } from "#app/app.ts";
import { hashToken } from "#app/core/hash.ts";
import { lastUseUpdateIntervalMs, type Viewer } from "../rules.ts";
import type { SessionCookie } from "../session-cookie.rules.ts";
import { changeLastUse } from "../sessions.queries.server.ts";
import { findViewer } from "../viewer.queries.server.ts";

/**
 * The viewer of this session. Null unless it is the account that the cookie claims, for which pages load their data at the same time.
 * Updates the last use after the response, at most once per `lastUseUpdateIntervalMs`. With a `tokenHash` the query is sent at once.
 */
export async function findSignedIn(
  app: Pick<App, "db" | "clock" | "later">,
  cookie: SessionCookie & { tokenHash?: string },
  find = findViewer,
): Promise<Viewer | null> {
  const now = app.clock();
  const viewer = await find(app.db, cookie.tokenHash ?? (await hashToken(cookie.sessionToken)), now);
  if (viewer?.account.id !== cookie.accountId) return null;
  if (now - viewer.session.lastUsedAt > lastUseUpdateIntervalMs) {
    app.later(Promise.resolve(changeLastUse(app.db, viewer.session.id, now)));
  }
  return viewer;
}
