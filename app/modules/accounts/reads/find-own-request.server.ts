import type { RequestId } from "#app/core/id.ts";
import type { App } from "#app/app.ts";
import { findRequested, idOfRequest } from "#app/modules/accounts/codes/requests.queries.server.ts";
import type { Code } from "#app/modules/accounts/codes/rules.ts";
import { hashToken } from "#app/core/hash.ts";

/**
 * The request itself, for the forms on its page (another code, another address); null if it is another browser's, unless
 * `mayBeElsewhere`.
 */
export async function findOwnRequest(
  app: Pick<App, "db">,
  requestId: RequestId | null,
  browserToken: string | null,
  mayBeElsewhere = false,
): Promise<Code | null> {
  if (requestId === null && browserToken === null) return null;
  const browserHash = browserToken ? await hashToken(browserToken) : "";
  const [row] = await findRequested(app.db, idOfRequest(requestId, browserHash));
  return row && (mayBeElsewhere || row.browserHash === browserHash) ? row : null;
}
