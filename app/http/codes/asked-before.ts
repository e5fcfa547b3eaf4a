import { readId } from "#app/core/id.ts";
import type { App } from "#app/app.ts";
import { findOwnRequest } from "#app/modules/accounts/reads/find-own-request.server.ts";
import type { Code, Purpose } from "#app/modules/accounts/codes/rules.ts";
import { readCookie } from "../request/cookies.ts";

/**
 * The request whose address the user came back to correct, if this browser made it from this form. The URL carries only its id in
 * `again`, never what was typed.
 */
export async function askedBefore(
  app: Pick<App, "db">,
  request: Request,
  url: URL,
  purpose: Purpose,
): Promise<Code | null> {
  const requestId = readId("req", url.searchParams.get("again"));
  const browserToken = readCookie(request, "browser");
  if (!requestId || !browserToken) return null;
  const codeRequest = await findOwnRequest(app, requestId, browserToken);
  return codeRequest?.purpose === purpose && !codeRequest.carried.typedElsewhere ? codeRequest : null;
}
