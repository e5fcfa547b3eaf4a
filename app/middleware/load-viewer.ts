import type { MiddlewareFunction } from "react-router";
import { appContext, viewerContext } from "#app/context.ts";
import { endedCookie, readCookie } from "#app/request/cookies.ts";
import { findSignedIn } from "#app/domain/accounts/find-signed-in.server.ts";

/** Brings the viewer: one D1 round trip with a session cookie, none without. A cookie that shows nobody is ended. */
export const loadViewer: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const app = context.get(appContext);
  const token = readCookie(request, "session");
  const viewer = token ? await findSignedIn(app, token) : null;
  context.set(viewerContext, viewer);
  const response = await next();
  const setsSession = response.headers.getSetCookie().some((cookie) => cookie.startsWith("__Host-session="));
  if (token && !viewer && !setsSession) response.headers.append("Set-Cookie", endedCookie("session"));
  return response;
};
