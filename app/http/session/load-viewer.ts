import { href, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import type { App } from "#app/app.ts";
import { hashToken } from "#app/core/hash.ts";
import { appContext, sessionCookieContext, viewerContext, viewerUnknownContext } from "#app/http/request/contexts.ts";
import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import { readSessionCookie } from "#app/modules/accounts/session-cookie.rules.ts";
import { findViewer, findViewerWithDue } from "#app/modules/accounts/viewer.queries.server.ts";
import { keepingStates, policies } from "#app/modules/billing/subscriptions/rules.ts";
import { readCookie } from "#app/http/request/cookies.ts";
import { receiveForm } from "#app/http/forms/read-form.ts";
import { isSafeMethod } from "#app/http/request/visitor.ts";

/** Requests without a session, signed by their sender, whose route reads the whole body itself. */
const webhooksPrefix = "/webhooks/";
/** The states of a running plan whose payment is due. */
const owingStates = keepingStates.filter((state) => policies[state].needsPayment);
const findWithDue = findViewerWithDue(owingStates);
/** Sign-out: ends the session by its token, whichever account it belongs to. */
const signOutPath = href("/logout");

/**
 * Loads the viewer: one D1 round trip with one of our session cookies, none without. A GET's loaders run meanwhile; a mutating request
 * waits first for its whole form and then for the viewer. A cookie without a valid session is left alone: it grants nothing, and clearing
 * it here could remove the newer one that another tab was just given.
 */
export const loadViewer: MiddlewareFunction<Response> = async ({ request, context, url }) => {
  const app = context.get(appContext);
  if (!isSafeMethod(request) && !url.pathname.startsWith(webhooksPrefix)) await receiveForm(request, context);
  const value = readCookie(request, "session");
  const cookie = value === null ? null : await readSessionCookie(app.pepper, value);
  // Hashed before the loaders start, so that the session's query is sent first: if the database fails, everything that awaits the viewer
  // gets that one error.
  const tokenHash = cookie ? await hashToken(cookie.sessionToken) : "";
  const isOfAccount = /^\/settings(\/|$)/i.test(url.pathname);
  const find = isOfAccount ? findWithDue : findViewer;
  const loaded = cookie ? findSignedIn(app, { ...cookie, tokenHash }, find) : Promise.resolve(null);
  const isTolerant = isSafeMethod(request) ? !isOfAccount : url.pathname === signOutPath;
  const viewer = isTolerant ? loaded.catch(asVisitor(app, context)) : loaded;
  context.set(sessionCookieContext, cookie);
  context.set(viewerContext, viewer);
  // Code that awaits the viewer receives the error; nothing else does.
  viewer.catch(() => null);
  if (!isSafeMethod(request)) await viewer;
};

/** Public pages are still rendered when the database can't load the viewer, and say so. Reported once, here. */
function asVisitor(app: App, context: Readonly<RouterContextProvider>) {
  return (error: unknown) => {
    app.report(error);
    context.set(viewerUnknownContext, true);
    return null;
  };
}
