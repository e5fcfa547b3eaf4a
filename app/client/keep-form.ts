import { useEffect } from "react";
import { data, isRouteErrorResponse, useLocation } from "react-router";
import { currentRoute, reportCaught } from "./early-errors.ts";
import { sendAsDocument } from "./send-as-document.ts";
import { sharedState } from "#app/ui/hooks/shared-state.ts";

/**
 * What a page with a form exports as its `clientAction`. An action's bug would end in the error boundary, which replaces the form and
 * everything typed. With this the page stays as it is and a notice above it reports the error. An answer with a challenge has to be a
 * document, whose policy allows it.
 */
export async function clientAction({
  request,
  serverAction,
}: {
  request: Request;
  serverAction: () => Promise<unknown>;
}): Promise<undefined> {
  change(null);
  const sent = request.clone();
  try {
    const answer = await serverAction();
    if (answer instanceof Object && "challenge" in answer) return sendAsDocument(sent.url, await sent.formData());
    // The server's own response: the action types what the page receives.
    return answer as undefined;
  } catch (error) {
    // Overtaken by another submission, or the page is being left: the router ignores what comes of this one.
    if (request.signal.aborted) throw error;
    if (error instanceof Response || (isRouteErrorResponse(error) && error.status < 500)) throw error;
    reportCaught({ error, caughtBy: "router", routePattern: currentRoute() });
    change({ error });
    // This status skips revalidation, which could fail as well.
    return data(undefined, { status: 500 }) as unknown as undefined;
  }
}

export type Unsent = { error: unknown };

const [useKept, change] = sharedState<Unsent>();

/** The result of the last submission, until another one is sent or the page is left. */
export function useUnsent(): Unsent | null {
  const { pathname } = useLocation();
  useEffect(() => () => change(null), [pathname]);
  return useKept();
}
