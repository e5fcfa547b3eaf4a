import { data, type MiddlewareFunction, redirect, href } from "react-router";
import { signedInContext } from "#app/http/request/contexts.ts";
import { isAccountClosed, type Viewer } from "#app/modules/accounts/rules.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { isSafeMethod } from "#app/http/request/visitor.ts";

/** Available while an account is closed: restoring it, receipts, and the form that closed it, which may be sent twice. */
const openWhileClosed = [href("/settings"), href("/settings/orders"), href("/settings/data")];
const orderPages = `${href("/settings/orders")}/`;

/**
 * Requires an account that isn't closed. Otherwise pages redirect to where it can be restored and submitted forms are refused.
 * `requireViewer`, which runs before, waits for a GET's answer to this, too.
 */
export const requireActive: MiddlewareFunction<Response> = async ({ request, context, url }) => {
  if (openWhileClosed.includes(url.pathname) || url.pathname.startsWith(orderPages)) return;
  const { accountId, viewer: known } = signedIn(context);
  const viewer = demand(known, () =>
    isSafeMethod(request) ? redirect(href("/settings"), 303) : data({ reason: "account-closed" }, { status: 409 }),
  );
  context.set(signedInContext, { accountId, viewer });
  // Awaited in `requireViewer`.
  viewer.catch(() => null);
  if (!isSafeMethod(request)) await viewer;
};

async function demand(known: Promise<Viewer>, refusal: () => unknown): Promise<Viewer> {
  const viewer = await known;
  if (!isAccountClosed(viewer.account)) return viewer;
  throw refusal();
}
