import { type MiddlewareFunction, redirect } from "react-router";
import { viewerContext } from "#app/context.ts";

/** Demands somebody signed in; anybody else signs in first and comes back to where they were going. */
export const requireViewer: MiddlewareFunction<Response> = ({ request, context, url }) => {
  if (context.get(viewerContext)) return;
  // After signing in, a page can be shown again but a form can't be sent again.
  const target = request.method === "GET" ? url.pathname + url.search : url.pathname;
  throw redirect(`/login?${new URLSearchParams({ redirectTo: target })}`, 303);
};
