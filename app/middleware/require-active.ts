import { data, type MiddlewareFunction, redirect } from "react-router";
import { viewerContext } from "#app/context.ts";

/** Open while an account is being closed: having it back, and receipts. */
const openWhileLeaving = ["/settings", "/settings/orders"];

/** Demands an account that stays. Whoever is leaving is led to where it can be had back; what they send is refused. */
export const requireActive: MiddlewareFunction<Response> = ({ request, context, url }) => {
  if (context.get(viewerContext)?.account.state !== "leaving" || openWhileLeaving.includes(url.pathname)) return;
  if (request.method === "GET" || request.method === "HEAD") throw redirect("/settings", 303);
  throw data({ reason: "account-leaving" }, { status: 409 });
};
