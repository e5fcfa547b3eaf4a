import { data, type MiddlewareFunction, redirect } from "react-router";
import { signedInContext } from "#app/http/contexts.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { signedIn } from "#app/http/signed-in.ts";
import { isVisit } from "#app/http/visitor.ts";

/** Open while an account is being closed: having it back, and receipts. */
const openWhileLeaving = ["/settings", "/settings/orders"];

/**
 * Demands an account that stays. Whoever is leaving is led to where it can be had back; what they send is refused. `requireViewer`,
 * which comes before, waits for a visit's answer to this, too.
 */
export const requireActive: MiddlewareFunction<Response> = async ({ request, context, url }) => {
  if (openWhileLeaving.includes(url.pathname)) return;
  const { accountId, viewer: known } = signedIn(context);
  const viewer = demand(known, () =>
    isVisit(request) ? redirect("/settings", 303) : data({ reason: "account-leaving" }, { status: 409 }),
  );
  context.set(signedInContext, { accountId, viewer });
  // Heard where `requireViewer` waits.
  viewer.catch(() => null);
  if (!isVisit(request)) await viewer;
};

async function demand(known: Promise<Viewer>, refusal: () => unknown): Promise<Viewer> {
  const viewer = await known;
  if (viewer.account.state !== "leaving") return viewer;
  throw refusal();
}
