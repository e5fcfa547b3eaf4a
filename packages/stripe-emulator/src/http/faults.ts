import type { FaultKind } from "./disorder.ts";
import { errorResponse, StripeRefusal } from "./stripe-errors.ts";
import { wait } from "../wait.ts";

/** Longer than a shop's deadline for a call is likely to be. */
const SLOW_MS = 10_000;

interface Ways {
  answer(): Response;
  /** Answers with this refusal as if the endpoint had: it is saved under the call's idempotency key. */
  fail(refusal: StripeRefusal): Response;
}

/**
 * Applies a fault to an API call. 429, lock_timeout, 409 and html never reach the endpoint. 500 is the endpoint's own: nothing is written,
 * but its idempotency key stores the response. With slow and reset the work is done and only the response is late or lost: the case that
 * idempotency keys are for.
 */
export async function answerUnderFaults(fault: FaultKind | null, { answer, fail }: Ways): Promise<Response> {
  switch (fault) {
    case null:
      return answer();
    case "500":
      return fail(
        new StripeRefusal(500, {
          type: "api_error",
          message: "An unknown error occurred (ordered on the control page).",
        }),
      );
    case "429":
      return errorResponse(
        new StripeRefusal(429, {
          type: "invalid_request_error",
          code: "rate_limit",
          message: "Request rate limit exceeded (ordered on the control page).",
        }),
      );
    case "lock_timeout":
      return errorResponse(
        new StripeRefusal(429, {
          type: "invalid_request_error",
          code: "lock_timeout",
          message:
            "This object cannot be accessed right now because another API request or Stripe process is currently accessing it. If you see this error intermittently, retry the request. If you see this error frequently and are making multiple concurrent requests to a single object, make your requests serially or at a lower rate. For more details, see https://docs.stripe.com/rate-limits#object-lock-timeouts.",
        }),
      );
    case "409":
      return errorResponse(
        new StripeRefusal(409, {
          type: "idempotency_error",
          code: "idempotency_key_in_use",
          message:
            "There is currently another in-progress request using this Idempotent Key (ordered on the control page).",
        }),
      );
    case "html":
      return new Response("<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>", {
        status: 502,
        headers: { "content-type": "text/html" },
      });
    // Not Stripe's: a proxy in between answers so, after the work was done.
    case "empty":
      answer();
      return Response.json({});
    case "other":
      answer();
      return Response.json({ id: "bal_1", object: "balance", livemode: false });
    case "slow": {
      const response = answer();
      await wait(SLOW_MS);
      return response;
    }
    case "reset":
      return cutOff(answer());
  }
}

/** Long enough for the headers and the first byte to pass through wrangler's proxy. */
const RESET_AFTER_MS = 50;

/**
 * Promises a body and breaks the connection in the middle of it. If the connection broke immediately, wrangler's proxy would treat it
 * as a failure to connect and silently send the request again.
 */
function cutOff(response: Response): Response {
  // Workers promise a length by this stream; Node cuts off a body of any length.
  const { readable, writable } =
    "FixedLengthStream" in globalThis ? new FixedLengthStream(1_000) : new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const breakOff = async (): Promise<void> => {
    await writer.write(new TextEncoder().encode("{"));
    await wait(RESET_AFTER_MS);
    await writer.abort(new Error("connection reset (ordered on the control page)"));
  };
  // The stream fails on purpose; its result isn't awaited.
  breakOff().catch(() => undefined);
  return new Response(readable, { status: response.status, headers: { "content-type": "application/json" } });
}
