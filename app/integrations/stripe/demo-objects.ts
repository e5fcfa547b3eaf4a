import { isDemoId } from "#app/core/stripe/demo-ids.ts";

/** Does a request to Stripe name an object of the demo data, in its path or its parameters? No Stripe account has it, so Stripe isn't asked. */
export function namesDemoObject(url: RequestInfo | URL, body: BodyInit | null | undefined): boolean {
  const { pathname, searchParams } = new URL(url instanceof Request ? url.url : url);
  const sent = new URLSearchParams(typeof body === "string" ? body : "");
  return [...pathname.split("/"), ...searchParams.values(), ...sent.values()].some(isDemoId);
}

/** What Stripe would answer. */
export function missing(): Response {
  return Response.json({ error: { type: "invalid_request_error", code: "resource_missing" } }, { status: 404 });
}
