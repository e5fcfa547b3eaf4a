import { type MiddlewareFunction, redirect } from "react-router";
import { appContext, sessionCookieContext, signedInContext, viewerContext } from "#app/http/request/contexts.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { isSafeMethod } from "#app/http/request/visitor.ts";
import { holdToSession, signInPath } from "#app/http/session/hold-to-session.server.ts";

/**
 * Requires a signed-in user; others are sent to sign-in and then back. A GET's loaders run while the database checks the session, and
 * their data is sent only when it is active. A form's action runs while the session is active.
 */
export const requireViewer: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const cookie = context.get(sessionCookieContext);
  // After sign-in a page can be loaded again, but a form can't be sent again.
  const target = isSafeMethod(request) ? url.pathname + url.search : url.pathname;
  const viewer = demand(context.get(viewerContext), signInPath(target));
  if (!cookie || !isSafeMethod(request)) {
    const { account, session } = await viewer;
    context.set(signedInContext, { accountId: account.id, viewer });
    context.set(appContext, holdToSession(context.get(appContext), session, url));
    return;
  }
  context.set(signedInContext, { accountId: cookie.accountId, viewer });
  // Awaited below, however long the page takes.
  viewer.catch(() => null);
  const { status } = await next();
  await signedIn(context).viewer.catch((reason: unknown) => {
    // When the viewer couldn't be loaded, the page couldn't be either, and the error was already reported.
    if (reason instanceof Response || status < 500) throw reason;
  });
};

async function demand(loaded: Promise<Viewer | null>, path: string): Promise<Viewer> {
  const viewer = await loaded;
  if (viewer) return viewer;
  throw redirect(path, 303);
}
