import { redirect, href } from "react-router";
import { appContext } from "#app/http/request/contexts.ts";
import { isAccountClosed } from "#app/modules/accounts/rules.ts";
import { gatherData } from "#app/modules/closing/reads/gather-data.server.ts";
import { logOutcome } from "#app/modules/accounts/commands/log-outcome.server.ts";
import { dataFileName } from "#app/modules/closing/rules.ts";
import { refuseBody } from "#app/http/forms/read-form.ts";
import { requireViewer } from "#app/http/session/require-viewer.ts";
import { askForReauthentication } from "#app/http/codes/ask-for-code.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import type { Route } from "./+types/route";

export const middleware: Route.MiddlewareFunction[] = [requireViewer];

/** An export requires POST: a link must not make a browser fetch it. */
export function loader() {
  return redirect(href("/settings/data"), 303);
}

export async function action({ request, context }: Route.ActionArgs) {
  refuseBody(context);
  const app = context.get(appContext);
  const viewer = await signedIn(context).viewer;
  const gathered = await gatherData(app, viewer);
  await logOutcome(app, viewer, "data-downloaded", gathered);
  if (!gathered.ok) {
    // The page of a closed account has this form as well.
    const page = href(isAccountClosed(viewer.account) ? "/settings" : "/settings/data");
    return askForReauthentication(app, request, viewer, { action: "download-data", to: `${page}#data`, typed: {} });
  }
  return new Response(`${JSON.stringify(gathered.value, null, 2)}\n`, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="${dataFileName(app.product.name, app.clock())}"`,
      "Cache-Control": "no-store",
    },
  });
}
