import { signPayload } from "./sign-payload.ts";

/** Approximately Stripe's own timeout for an endpoint. */
const ATTEMPT_TIMEOUT_MS = 20_000;

/** Sends an event to an endpoint; returns the response's status, 0 if there was no response. */
export async function postEvent(url: string, body: string, secrets: string[]): Promise<number> {
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
      headers: {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks; local)",
        // Real time, not the account's clock: receivers refuse signatures that aren't recent.
        "stripe-signature": await signPayload(body, secrets, Math.floor(Date.now() / 1000)),
      },
      body,
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}
