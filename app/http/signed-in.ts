import type { RouterContextProvider } from "react-router";
import { type SignedIn, signedInContext } from "#app/http/contexts.ts";

/**
 * Whoever a page behind `requireViewer` is for. A loader may read by `accountId` at once; nothing of it leaves before `viewer`, which
 * leads to log-in where the session is over. Asking elsewhere is a bug, and says so.
 */
export function signedIn(context: Readonly<RouterContextProvider>): SignedIn {
  const signedIn = context.get(signedInContext);
  if (!signedIn) throw new Error("A page behind requireViewer was reached by nobody");
  return signedIn;
}
