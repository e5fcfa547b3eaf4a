import { Stripe } from "stripe";
import { callStripe } from "./call-stripe.ts";
import { faultOf } from "./check-answers.ts";
import { missing, namesDemoObject } from "./demo-objects.ts";
import type { CheckoutSettings } from "./payments/checkout.ts";
import { credit } from "./payments/credit.ts";
import { listEvents, readEvent } from "./events.ts";
import { fraudWarnings } from "./payments/fraud-warnings.ts";
import { planChanges } from "./subscriptions/plan-changes.ts";
import { refunds } from "./payments/refunds.ts";
import { purchases } from "./payments/purchases.ts";
import { defaultWaiting, retryOnce, type Waiting } from "./payments/retry.ts";
import { stripeApiVersion } from "./version.ts";
import { customerCalls } from "./subscriptions/customers.ts";
import type { PaymentProvider } from "./payment-provider.ts";

/** Deadline for all Stripe calls of a request together: a page responds within ten seconds whatever Stripe does. */
const deadlineMs = 8000;

export type ProviderSettings = CheckoutSettings & {
  key: string;
  webhookSecrets: string;
  apiBase: string;
  /** Told of answers that can't be Stripe's. */
  report?: (error: unknown) => void;
  /** How a retry waits. Tests replace it. */
  waiting?: Waiting;
};

export function openPaymentProvider(settings: ProviderSettings): PaymentProvider {
  const { report = () => undefined } = settings;
  const base = settings.apiBase ? new URL(settings.apiBase) : null;
  const stripe = new Stripe(settings.key, {
    apiVersion: stripeApiVersion,
    // A redirect must not get the key, which is for Stripe's own address.
    httpClient: retryOnce(
      Stripe.createFetchHttpClient(async (url, init) =>
        namesDemoObject(url, init?.body)
          ? missing()
          : checked(await fetch(url, { ...init, redirect: "manual" }), { url, method: init?.method, report }),
      ),
      settings.waiting ?? defaultWaiting,
    ),
    timeout: deadlineMs,
    // The SDK's own retries would make a hang last 25 s. `retryOnce` respects the deadline; after it, the next click, event or cron run
    // retries.
    maxNetworkRetries: 0,
    telemetry: false,
    ...(base && { host: base.hostname, port: Number(base.port), protocol: "http" as const }),
  });
  return providerOf(stripe, settings);
}

type Asked = { url: string | URL | Request; method: string | undefined; report: (error: unknown) => void };

/** The answer, or an error that the SDK takes for a broken connection: nothing is known about what Stripe did. */
async function checked(answer: Response, { url, method = "GET", report }: Asked): Promise<Response> {
  if (answer.status !== 200) return answer;
  const text = await answer.text();
  const { pathname } = new URL(url instanceof Request ? url.url : url);
  const fault = faultIn(text, method, pathname);
  // Its body is read only once; this is how the SDK reads it.
  if (fault === null) return Object.assign(answer, { text: async () => text });
  const error = new Error(`Stripe's answer to ${method} ${pathname.replaceAll(/\/[a-z]+_\w+/g, "/…")} ${fault}`);
  report(error);
  throw error;
}

/** The SDK reports what isn't JSON itself. */
function faultIn(text: string, method: string, path: string): string | null {
  try {
    return faultOf(method, path, JSON.parse(text));
  } catch {
    return null;
  }
}

function providerOf(stripe: Stripe, settings: ProviderSettings, count: () => void = () => undefined): PaymentProvider {
  let startedAt: number | null = null;
  const within = (more: Stripe.RequestOptions = {}): Stripe.RequestOptions => {
    startedAt ??= performance.now();
    count();
    return { ...more, timeout: Math.max(1, Math.floor(deadlineMs - (performance.now() - startedAt))) };
  };
  const connection = { stripe, within };
  return {
    ...purchases(connection, settings),
    ...customerCalls(connection),
    ...planChanges(connection),
    ...credit(connection),
    ...refunds(connection),
    ...fraudWarnings(connection),
    readEvent: (body, signature, nowMs) => readEvent(stripe, settings.webhookSecrets, body, signature, nowMs),
    listEvents: (after) => callStripe(() => listEvents(connection, after)),
    withOwnDeadline: (counted = count) => providerOf(stripe, settings, counted),
  };
}
