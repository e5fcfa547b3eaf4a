import type { App } from "#app/context.ts";
import { findRequested, idOfRequest } from "#app/domain/codes/requests.store.server.ts";
import type { Code } from "#app/domain/codes/rules.ts";
import { readCode } from "#app/domain/codes/store.server.ts";
import { hashToken } from "#app/domain/kernel/digest.ts";

/** The request itself, for the acts of its page (another code, another address); null unless `mayBeElsewhere` or ours. */
export async function findOwnRequest(
  app: Pick<App, "db">,
  requestId: string | null,
  browserToken: string | null,
  mayBeElsewhere = false,
): Promise<Code | null> {
  if (requestId === null && browserToken === null) return null;
  const browserHash = browserToken ? await hashToken(browserToken) : "";
  const [row] = await findRequested(app.db, idOfRequest(requestId, browserHash));
  return row && (mayBeElsewhere || row.browserHash === browserHash) ? readCode(row) : null;
}
