import { redirect, href } from "react-router";
import type { Route } from "./+types/route";

/** Used to lead to Stripe's own invoice. Emails and bookmarks still link here. */
export function loader({ url }: Route.LoaderArgs) {
  const order = url.searchParams.get("order") ?? "";
  return redirect(`${href("/settings/orders/receipt")}?${new URLSearchParams({ order })}`, 303);
}
