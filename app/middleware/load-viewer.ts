import type { MiddlewareFunction } from "react-router";
import { appContext, viewerContext } from "#app/context.ts";
import { findSignedIn } from "#app/domain/accounts/find-signed-in.server.ts";
import { readCookie } from "#app/request/cookies.ts";

/**
 * Brings the viewer: one D1 round trip with a session cookie, none without. A cookie that shows nobody is left alone: it opens
 * nothing, and ending it here could end the newer one that another tab was just given.
 */
export const loadViewer: MiddlewareFunction<Response> = async ({ request, context }) => {
  const token = readCookie(request, "session");
  context.set(viewerContext, token ? await findSignedIn(context.get(appContext), token) : null);
};
