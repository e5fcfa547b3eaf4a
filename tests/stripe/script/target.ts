import Stripe from "stripe";
import { openPaymentProvider } from "#app/integrations/stripe/payment-provider.server.ts";
import type { PaymentProvider } from "#app/integrations/stripe/payment-provider.ts";

export type Exchange = {
  method: string;
  path: string;
  status: number;
  answer: unknown;
  /** When it began and ended, for the order of parallel calls. */
  startedAt: number;
  endedAt: number;
};

/** What the script runs against: the emulator, a proxy in front of it, or Stripe's test mode. */
export type Target = {
  /** Recorded, as are the integration's calls. */
  stripe: Stripe;
  provider: PaymentProvider;
  /** Not recorded: for waiting and for cleaning up. */
  quiet: Stripe;
  /** One call of the emulator's control page; null for Stripe, which has none. */
  control: ((call: string, body: object) => Promise<void>) | null;
  /** When the test clock of a step begins. */
  beginningOf(step: number): number;
  takeExchanges(): Exchange[];
  /** Recording has stopped. */
  close(): void;
};

/** Why a key isn't accepted; null: it is a secret key of Stripe's test mode. */
export function refusalOfKey(key: string): string | null {
  if (/_live_/.test(key))
    return "This is a key of live mode, where real money moves: take one that begins with sk_test_.";
  if (!/^sk_test_\w{8,}$/.test(key))
    return "This isn't a secret key of Stripe's test mode, which begins with sk_test_.";
  return null;
}

/**
 * Noon of the first of January: prorations depend on the length of months. The emulator's clock can't go back, so its
 * steps begin four years apart, in years of the same length.
 */
const newYear = (year: number): number => Date.UTC(year, 0, 1, 12) / 1000;

export function emulatorTarget(origin: string): Target {
  return {
    ...connect("local-key", origin),
    control: async (call, body) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${origin}/control/${call}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`control ${call}: ${response.status} ${await response.text()}`);
    },
    beginningOf: (step) => newYear(2029 + 4 * step),
  };
}

export function stripeTarget(key: string): Target {
  const refusal = refusalOfKey(key);
  if (refusal !== null) throw new Error(refusal);
  return { ...connect(key, ""), control: null, beginningOf: () => newYear(2027) };
}

function connect(key: string, origin: string) {
  const base = origin === "" ? null : new URL(origin);
  const settings: Stripe.StripeConfig = {
    telemetry: false,
    maxNetworkRetries: base ? 0 : 3,
    ...(base && { host: base.hostname, port: Number(base.port), protocol: "http" as const }),
  };
  const recordedOrigin = base?.origin ?? "https://api.stripe.com";
  const recorder = recorderFor(recordedOrigin);
  const integration = {
    key,
    webhookSecrets: "local-unused",
    apiBase: origin,
    automaticTax: false,
    billingAddress: "auto" as const,
  };
  return {
    stripe: new Stripe(key, { ...settings, httpClient: Stripe.createFetchHttpClient((url, init) => fetch(url, init)) }),
    provider: withFreshDeadlines(openPaymentProvider(integration)),
    // By Node's own client, which the recorder doesn't see.
    quiet: new Stripe(key, settings),
    takeExchanges: () => recorder.splice(0),
    close: () => stopRecording(recordedOrigin),
  };
}

const recorders = new Map<string, Exchange[]>();
let plainFetch = globalThis.fetch;

/** The integration calls the global `fetch`: its requests to an origin are recorded there. */
function recorderFor(origin: string): Exchange[] {
  const exchanges: Exchange[] = [];
  if (recorders.size === 0) plainFetch = globalThis.fetch;
  recorders.set(origin, exchanges);
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const recorder = url.pathname.startsWith("/v1/") ? recorders.get(url.origin) : undefined;
    if (recorder === undefined) return plainFetch(input, init);
    const startedAt = performance.now();
    const response = await plainFetch(input, init);
    const text = await response.clone().text();
    const answer: unknown = text.startsWith("{") ? JSON.parse(text) : text.slice(0, 80);
    const call = { method: init?.method ?? "GET", path: url.pathname, status: response.status, answer };
    recorder.push({ ...call, startedAt, endedAt: performance.now() });
    return response;
  };
  return exchanges;
}

function stopRecording(origin: string): void {
  recorders.delete(origin);
  if (recorders.size === 0) globalThis.fetch = plainFetch;
}

/**
 * A request of the site has one deadline for all of its calls; here each call of the integration is a separate request.
 */
function withFreshDeadlines(provider: PaymentProvider): PaymentProvider {
  return new Proxy(provider, {
    get(methods, name) {
      const fresh = methods.withOwnDeadline();
      return Reflect.get(fresh, name, fresh);
    },
  });
}
