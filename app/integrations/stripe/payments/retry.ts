import type { Stripe } from "stripe";

type HttpClient = ReturnType<typeof Stripe.createFetchHttpClient>;

/** A retry's dependencies: randomness from 0 to 1, a clock, and a way to wait. */
export type Waiting = { chance: () => number; now: () => number; pause: (ms: number) => Promise<void> };

/** Real waiting, outside of tests. */
export const defaultWaiting: Waiting = {
  chance: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
  now: () => performance.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Wait before the one retry of a rate limit or a conflict, random up to `retryWaitMaxMs`. */
const retryWaitMinMs = 300;
/** Upper bound of that wait. */
const retryWaitMaxMs = 1500;

/** A longer `Retry-After` isn't waited for: the page says that the payment is being confirmed. */
const retryAfterMaxMs = 2000;

/** Time that must remain before the deadline for the second attempt. */
const secondTryMs = 1000;

/**
 * Retries once what Stripe rejected without executing: a rate limit or a lock (429), and a call whose idempotency key is in use (409).
 * Only if the call's deadline, which the SDK passes as its timeout, leaves time for it.
 */
export function retryOnce(client: HttpClient, waiting: Waiting): HttpClient {
  const { chance, now, pause } = waiting;
  const send = client.makeRequest.bind(client);
  client.makeRequest = async (...call) => {
    const [host, port, path, method, headers, body, protocol, timeoutMs] = call;
    const startedAt = now();
    const answer = await send(...call);
    const waitMs = waitBefore(answer, chance());
    const leftMs = timeoutMs - (now() - startedAt);
    if (waitMs === null || leftMs - waitMs < secondTryMs) return answer;
    answer.dispose?.();
    await pause(waitMs);
    return send(host, port, path, method, headers, body, protocol, Math.floor(leftMs - waitMs));
  };
  return client;
}

/** How long to wait before the retry. Null if the call isn't retried and this response is returned. */
function waitBefore(answer: Awaited<ReturnType<HttpClient["makeRequest"]>>, chance: number): number | null {
  const status = answer.getStatusCode();
  const headers = answer.getHeaders();
  const header = (name: string) => String(headers[name] ?? "");
  if (status !== 429 && !(status === 409 && header("stripe-should-retry") !== "false")) return null;
  const jitterMs = retryWaitMinMs + chance * (retryWaitMaxMs - retryWaitMinMs);
  const seconds = header("retry-after");
  if (!/^\d+$/.test(seconds)) return jitterMs;
  const askedMs = Number(seconds) * 1000;
  // Never sooner than `Retry-After`; jitter is added to that as well.
  return askedMs > retryAfterMaxMs ? null : askedMs + chance * retryWaitMinMs;
}
