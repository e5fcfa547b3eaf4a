import { invariant } from "#app/core/invariant.ts";
import type { RouterContextProvider } from "react-router";
import { type SignedIn, signedInContext } from "#app/http/request/contexts.ts";

/**
 * The viewer of a page behind `requireViewer`. A loader may start reading with `accountId` immediately; nothing is sent before `viewer`
 * resolves, which redirects to sign-in when the session has ended. Throws when used elsewhere.
 */
export function signedIn(context: Readonly<RouterContextProvider>): SignedIn {
  const found = context.get(signedInContext);
  invariant(found, "A page behind requireViewer was reached without a session");
  return found;
}
