import { appContext } from "#app/http/request/contexts.ts";
import { acceptEvent } from "#app/modules/billing/sync/commands/handle-events.server.ts";
import { handleEventsAndFollowUp } from "#app/workflows/after-payment.ts";
import { readCapped } from "#app/http/forms/read-form.ts";
import type { Route } from "./+types/route";

/** Stripe's events are a few kB; the largest objects stay far below this. */
const eventBytesMax = 1024 * 1024;

/** A stored event is acknowledged by then and processed afterwards: Stripe waits about ten seconds. */
const answerWithinMs = 5000;

export async function action({ request, context }: Route.ActionArgs) {
  // The body was already read as a form, which no event is.
  if (request.bodyUsed) return new Response(null, { status: 415 });
  const body = await readCapped(request.body, eventBytesMax);
  if (!body.ok) return new Response(null, { status: body.refusal.status });
  const signature = request.headers.get("Stripe-Signature") ?? "";
  const app = context.get(appContext);
  const noted = await acceptEvent(app, new TextDecoder().decode(body.value), signature);
  if (!noted.ok) return new Response(null, { status: noted.refusal.reason === "not-on-sale" ? 404 : 400 });
  const work = noted.value === null ? null : handleEventsAndFollowUp(app, noted.value);
  const outcome = await Promise.race([work, app.pause(answerWithinMs).then(() => null)]);
  // The event is stored and processed after the response; if that fails, the cron job finds it in the inbox.
  if (work && outcome === null) app.later(work);
  // Stripe retries after any response but 2xx.
  return outcome === null || outcome.ok
    ? new Response(null, { status: 204 })
    : new Response(null, { status: 503, headers: { "Retry-After": "60" } });
}
