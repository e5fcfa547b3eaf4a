import { type MiddlewareFunction, redirect } from "react-router";
import { appContext, claimContext, signedInContext, viewerContext } from "#app/http/contexts.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { signedIn } from "#app/http/signed-in.ts";
import { isVisit } from "#app/http/visitor.ts";
import { holdToSession, signInPath } from "#app/http/hold-to-session.server.ts";

/**
 * Demands somebody signed in; anybody else signs in first and comes back to where they were going. What a visit asks for is read while
 * the table is asked whether the session stands, and leaves only when it does. What a form does, it does while the session is active.
 */
export const requireViewer: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const claim = context.get(claimContext);
  // After signing in, a page can be shown again but a form can't be sent again.
  const target = isVisit(request) ? url.pathname + url.search : url.pathname;
  const viewer = demand(context.get(viewerContext), signInPath(target));
  if (!claim || !isVisit(request)) {
    const { account, session } = await viewer;
    context.set(signedInContext, { accountId: account.id, viewer });
    context.set(appContext, holdToSession(context.get(appContext), session, url));
    return;
  }
  context.set(signedInContext, { accountId: claim.accountId, viewer });
  // Heard below, however long the page takes.
  viewer.catch(() => null);
  const { status } = await next();
  await signedIn(context).viewer.catch((reason: unknown) => {
    // What couldn't find out who is there couldn't draw a page either, and has said so.
    if (reason instanceof Response || status < 500) throw reason;
  });
};

async function demand(asked: Promise<Viewer | null>, path: string): Promise<Viewer> {
  const viewer = await asked;
  if (viewer) return viewer;
  throw redirect(path, 303);
}
