import { href } from "react-router";
import type { MiddlewareFunction, RouterContextProvider } from "react-router";
import type { App } from "#app/app.ts";
import { appContext, sessionCookieContext, viewerContext, viewerUnknownContext } from "#app/http/contexts.ts";
import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import { readSessionCookie } from "#app/modules/accounts/session-cookie.rules.ts";
import { findViewer, findViewerWithDue } from "#app/modules/accounts/queries.server.ts";
import { readCookie } from "#app/http/cookies.ts";
import { receiveForm } from "#app/http/read-form.ts";
import { isVisit } from "#app/http/visitor.ts";

/** Requests without a session, signed by their sender, whose route reads the whole body itself. */
const events = "/webhooks/";
/** Sign-out: ends the session by its token, whichever account it belongs to. */
const signOutPath = href("/logout");

/**
 * Loads the viewer: one D1 round trip with one of our session cookies, none without. A GET's loaders run meanwhile; a mutating request
 * waits first for its whole form and then for the viewer. A cookie without a valid session is left alone: it grants nothing, and clearing
 * it here could remove the newer one that another tab was just given.
 */
export const loadViewer: MiddlewareFunction<Response> = async ({ request, context, url }) => {
  const app = context.get(appContext);
  if (!isVisit(request) && !url.pathname.startsWith(events)) await receiveForm(request, context);
  const pass = readCookie(request, "session");
  const cookie = pass === null ? null : await readSessionCookie(app.pepper, pass);
  const isOfAccount = /^\/settings(\/|$)/i.test(url.pathname);
  const asked = cookie
    ? findSignedIn(app, cookie, isOfAccount ? findViewerWithDue : findViewer)
    : Promise.resolve(null);
  const isTolerant = isVisit(request) ? !isOfAccount : url.pathname === signOutPath;
  const viewer = isTolerant ? asked.catch(asVisitor(app, context)) : asked;
  context.set(sessionCookieContext, cookie);
  context.set(viewerContext, viewer);
  // Code that awaits the viewer receives the error; nothing else does.
  viewer.catch(() => null);
  if (!isVisit(request)) await viewer;
};

/** Public pages are still rendered when the database can't load the viewer, and say so. Reported once, here. */
function asVisitor(app: App, context: Readonly<RouterContextProvider>) {
  return (error: unknown) => {
    app.report(error);
    context.set(viewerUnknownContext, true);
    return null;
  };
}
