import type { RouterContextProvider } from "react-router";
import { viewerContext } from "#app/context.ts";
import type { Viewer } from "#app/domain/accounts/rules.ts";

/** The viewer of a page behind `requireViewer`. Asking elsewhere is a bug, and says so. */
export function signedIn(context: Readonly<RouterContextProvider>): Viewer {
  const viewer = context.get(viewerContext);
  if (!viewer) throw new Error("A page behind requireViewer was reached by nobody");
  return viewer;
}
