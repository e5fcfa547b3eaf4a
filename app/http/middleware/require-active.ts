import { data, type MiddlewareFunction, redirect, href } from "react-router";
import { signedInContext } from "#app/http/contexts.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { signedIn } from "#app/http/signed-in.ts";
import { isVisit } from "#app/http/visitor.ts";

/** Available while an account is pending deletion: restoring it, and receipts. */
const openWhilePendingDeletion = [href("/settings"), href("/settings/orders")];

/**
 * Requires an account that isn't pending deletion. Otherwise pages redirect to where it can be restored and submitted forms are refused.
 * `requireViewer`, which runs before, waits for a GET's answer to this, too.
 */
export const requireActive: MiddlewareFunction<Response> = async ({ request, context, url }) => {
  if (openWhilePendingDeletion.includes(url.pathname)) return;
  const { accountId, viewer: known } = signedIn(context);
  const viewer = demand(known, () =>
    isVisit(request) ? redirect(href("/settings"), 303) : data({ reason: "account-leaving" }, { status: 409 }),
  );
  context.set(signedInContext, { accountId, viewer });
  // Awaited in `requireViewer`.
  viewer.catch(() => null);
  if (!isVisit(request)) await viewer;
};

async function demand(known: Promise<Viewer>, refusal: () => unknown): Promise<Viewer> {
  const viewer = await known;
  if (viewer.account.state !== "leaving") return viewer;
  throw refusal();
}
