import type { MiddlewareFunction } from "react-router";
import { appContext, claimContext, viewerContext } from "#app/context.ts";
import { findSignedIn } from "#app/domain/accounts/find-signed-in.server.ts";
import { readPass } from "#app/domain/accounts/session-pass.server.ts";
import { readCookie } from "#app/request/cookies.ts";
import { isVisit } from "#app/request/visitor.ts";

/**
 * Brings the viewer: one D1 round trip with a session's cookie of ours, none without. A visit's page is read meanwhile; whatever
 * changes something waits. A cookie that shows nobody is left alone: it opens nothing, and ending it here could end the newer one
 * that another tab was just given.
 */
export const loadViewer: MiddlewareFunction<Response> = async ({ request, context }) => {
  const app = context.get(appContext);
  const pass = readCookie(request, "session");
  const claim = pass === null ? null : await readPass(app.pepper, pass);
  const viewer = claim ? findSignedIn(app, claim) : Promise.resolve(null);
  context.set(claimContext, claim);
  context.set(viewerContext, viewer);
  // Whoever needs the viewer hears of it when that fails; of the others, none.
  viewer.catch(() => null);
  if (!isVisit(request)) await viewer;
};
