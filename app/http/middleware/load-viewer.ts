import type { MiddlewareFunction, RouterContextProvider } from "react-router";
import type { App } from "#app/app.ts";
import { appContext, claimContext, viewerContext, viewerUnknownContext } from "#app/http/contexts.ts";
import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import { readPass } from "#app/modules/accounts/commands/session-pass.server.ts";
import { findViewer, findViewerWithDue } from "#app/modules/accounts/queries.server.ts";
import { readCookie } from "#app/http/cookies.ts";
import { receiveForm } from "#app/http/read-form.ts";
import { isVisit } from "#app/http/visitor.ts";

/** Signed by who sends them, for no session, and read whole by their own route. */
const events = "/webhooks/";
/** Ends the session by its token, whoever it belongs to. */
const signOutPath = "/logout";

/**
 * Loads the viewer: one D1 round trip with a session's cookie of ours, none without. A visit's page is read meanwhile; whatever
 * changes something waits, first for its whole form and then for the viewer. A cookie that shows nobody is left alone: it opens nothing, and ending it here could end the newer one
 * that another tab was just given.
 */
export const loadViewer: MiddlewareFunction<Response> = async ({ request, context, url }) => {
  const app = context.get(appContext);
  if (!isVisit(request) && !url.pathname.startsWith(events)) await receiveForm(request, context);
  const pass = readCookie(request, "session");
  const claim = pass === null ? null : await readPass(app.pepper, pass);
  const isOfAccount = /^\/settings(\/|$)/i.test(url.pathname);
  const asked = claim ? findSignedIn(app, claim, isOfAccount ? findViewerWithDue : findViewer) : Promise.resolve(null);
  const isTolerant = isVisit(request) ? !isOfAccount : url.pathname === signOutPath;
  const viewer = isTolerant ? asked.catch(asNobody(app, context)) : asked;
  context.set(claimContext, claim);
  context.set(viewerContext, viewer);
  // Whoever needs the viewer hears of it when that fails; of the others, none.
  viewer.catch(() => null);
  if (!isVisit(request)) await viewer;
};

/** Public pages are shown when the tables can't say who is there, and say so. Reported once, here. */
function asNobody(app: App, context: Readonly<RouterContextProvider>) {
  return (error: unknown) => {
    app.report(error);
    context.set(viewerUnknownContext, true);
    return null;
  };
}
