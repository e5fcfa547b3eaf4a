import { redirect, href } from "react-router";
import { requireViewer } from "#app/http/session/require-viewer.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import type { Route } from "./+types/route";

export const middleware: Route.MiddlewareFunction[] = [requireViewer];

/** Used to lead to Stripe's own invoice. Emails and bookmarks still link here. */
export async function loader({ context, url }: Route.LoaderArgs) {
  await signedIn(context).viewer;
  const order = url.searchParams.get("order") ?? "";
  return redirect(`${href("/settings/orders/receipt")}?${new URLSearchParams({ order })}`, 303);
}
