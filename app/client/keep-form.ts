import { useEffect } from "react";
import { data, isRouteErrorResponse, useLocation } from "react-router";
import { currentRoute, reportCaught } from "./early-errors.ts";
import { hasThirdPartyScripts } from "#app/ui/hooks/third-party-scripts.ts";
import { sharedState } from "#app/ui/hooks/shared-state.ts";

type ClientActionArgs = { request: Request; serverAction: () => Promise<unknown> };

/**
 * What a page with a form exports as its `clientAction`. An action's bug would end in the error boundary, which replaces the form and
 * everything typed. With this the page stays as it is and a notice above it reports the error.
 */
export async function clientAction({ request, serverAction }: ClientActionArgs): Promise<undefined> {
  change(null);
  const sent = request.clone();
  try {
    const answer = await serverAction();
    if (wantsCaptcha(answer)) return await sendAsDocument(sent);
    // The server's own response: the action types what the page receives.
    return answer as undefined;
  } catch (error) {
    if (error instanceof Response) throw hasThirdPartyScripts() ? asDocument(error) : error;
    if (isRouteErrorResponse(error) && error.status < 500) throw error;
    reportCaught({ error, caughtBy: "router", routePattern: currentRoute() });
    change({ error });
    // This status skips revalidation, which could fail as well.
    return data(undefined, { status: 500 }) as unknown as undefined;
  }
}

function wantsCaptcha(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "captcha" in answer;
}

/** The same form once more, by the browser itself: the policy of this document doesn't allow a captcha, that of the answer does. */
async function sendAsDocument(sent: Pick<Request, "url" | "formData">): Promise<undefined> {
  const form = Object.assign(document.createElement("form"), { method: "post", action: sent.url, hidden: true });
  for (const [name, value] of await sent.formData()) {
    if (typeof value === "string")
      form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.appendChild(form);
  form.submit();
  // Pending until this document is left.
  return new Promise(() => undefined);
}

/** A redirect that loads a document: the scripts of this one don't follow the user to the next page. */
function asDocument(redirect: Response): Response {
  redirect.headers.set("X-Remix-Reload-Document", "true");
  return redirect;
}

export type Unsent = { error: unknown };

const [useKept, change] = sharedState<Unsent>();

/** The result of the last submission, until another one is sent or the page is left. */
export function useUnsent(): Unsent | null {
  const { pathname } = useLocation();
  useEffect(() => () => change(null), [pathname]);
  return useKept();
}
