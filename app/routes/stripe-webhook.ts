import { appContext } from "#app/context.ts";
import { hearEvent } from "#app/domain/orders/hear-event.server.ts";
import { followMoney } from "#app/request/follow-money.ts";
import { readCapped } from "#app/request/read-form.ts";
import type { Route } from "./+types/stripe-webhook";

/** Stripe's events are a few kB; the largest objects stay far below this. */
const eventBytesMax = 1024 * 1024;

export async function action({ request, context }: Route.ActionArgs) {
  // Read as a form already, which no event is.
  if (request.bodyUsed) return new Response(null, { status: 415 });
  const body = await readCapped(request.body, eventBytesMax);
  if (!body.ok) return new Response(null, { status: body.refusal.status });
  const signature = request.headers.get("Stripe-Signature") ?? "";
  const app = context.get(appContext);
  const heard = await hearEvent(app, new TextDecoder().decode(body.value), signature);
  if (heard.ok) {
    if (heard.value.accountId !== null) await followMoney(app, heard.value.accountId);
    return new Response(null, { status: 204 });
  }
  switch (heard.refusal.reason) {
    case "not-on-sale":
      return new Response(null, { status: 404 });
    case "signature-invalid":
      return new Response(null, { status: 400 });
    case "provider-unreachable":
      // Not 2xx, so that Stripe tells us again.
      return new Response(null, { status: 503, headers: { "Retry-After": "60" } });
  }
}
