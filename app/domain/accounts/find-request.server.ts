import type { App } from "#app/context.ts";
import type { Code } from "#app/domain/codes/rules.ts";
import { findCodeAnywhere, findNewestCode, readCode } from "#app/domain/codes/store.server.ts";
import { hashToken } from "#app/domain/kernel/digest.ts";

/** The request that a page is about, whoever made it: the one that its address names; without a name this browser's newest. */
export async function findRequest(
  app: Pick<App, "db">,
  requestId: string | null,
  browserHash: string | null,
): Promise<Code | null> {
  if (requestId === null && browserHash === null) return null;
  const [row] = requestId ? await findCodeAnywhere(app.db, requestId) : await findNewestCode(app.db, browserHash ?? "");
  return row ? readCode(row) : null;
}

/** The request itself, for the acts of the page (another code, another address); null unless `mayBeElsewhere` or ours. */
export async function findOwnRequest(
  app: Pick<App, "db">,
  requestId: string | null,
  browserToken: string | null,
  mayBeElsewhere = false,
): Promise<Code | null> {
  const browserHash = browserToken ? await hashToken(browserToken) : null;
  const request = await findRequest(app, requestId, browserHash);
  return request && (mayBeElsewhere || request.browserHash === browserHash) ? request : null;
}
