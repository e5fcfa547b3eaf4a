import { useEffect } from "react";
import { data, isRouteErrorResponse, useLocation } from "react-router";
import { currentRoute, reportCaught } from "./early-errors.ts";
import { sharedState } from "#app/ui/hooks/shared-state.ts";

/**
 * What a page with a form exports as its `clientAction`. A bug of the action's would end in the error boundary, which takes the
 * form's place with everything that was typed. Here the page stays as it is and a notice above it says what happened.
 */
export async function clientAction({ serverAction }: { serverAction: () => Promise<unknown> }): Promise<undefined> {
  change(null);
  try {
    // The server's own answer: what the page gets is typed by the action.
    return (await serverAction()) as undefined;
  } catch (error) {
    if (error instanceof Response || (isRouteErrorResponse(error) && error.status < 500)) throw error;
    reportCaught({ error, caughtBy: "router", routePattern: currentRoute() });
    change({ error });
    // With this status nothing is loaded anew: that could end in the error boundary, too.
    return data(undefined, { status: 500 }) as unknown as undefined;
  }
}

export type Unsent = { error: unknown };

const [useKept, change] = sharedState<Unsent>();

/** What became of the form that was sent last, until another is sent or the page is left. */
export function useUnsent(): Unsent | null {
  const { pathname } = useLocation();
  useEffect(() => () => change(null), [pathname]);
  return useKept();
}
