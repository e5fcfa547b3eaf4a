import { EmulatorAccount as PlainAccount, type EmulatorEnv } from "stripe-emulator/worker";
import type { Call, Delivery, Recording } from "./recording.ts";

/**
 * The Stripe emulator with its traffic recorded: every call of the API with its answer, and every webhook. The
 * emulator's own modules know nothing of it. One isolate runs the Worker and its Durable Object, so one list contains
 * both.
 */
const calls: Call[] = [];
const unfinished = new Set<symbol>();
const deliveries: Delivery[] = [];

const plainFetch = globalThis.fetch;
globalThis.fetch = (input: RequestInfo | URL, init?: RequestInit) => {
  const headers = new Headers(init?.headers);
  if (headers.has("stripe-signature") && typeof init?.body === "string") {
    deliveries.push({ url: String(input), headers: Object.fromEntries(headers), body: init.body });
  }
  return plainFetch(input, init);
};

export class EmulatorAccount extends PlainAccount {
  /** Including event types that no endpoint subscribed to. */
  events(): string {
    return JSON.stringify([...this.account.store.newestFirst("event")]);
  }
}

interface Env {
  STRIPE_ACCOUNT: DurableObjectNamespace<EmulatorAccount>;
}

export default {
  async fetch(request, env, context) {
    const { pathname, search } = new URL(request.url);
    const account = env.STRIPE_ACCOUNT.getByName("account");
    if (pathname === "/recording") return Response.json(await takeRecording(account));
    if (!pathname.startsWith("/v1/")) return account.fetch(request);
    const body = await request.clone().text();
    const answer = await account.fetch(request);
    const sent = { method: request.method, path: pathname, query: search.slice(1), body };
    context.waitUntil(writeDown(sent, Object.fromEntries(request.headers), answer.clone()));
    return answer;
  },
} satisfies ExportedHandler<Env & EmulatorEnv>;

async function writeDown(
  sent: Pick<Call, "method" | "path" | "query" | "body">,
  requestHeaders: Record<string, string>,
  answer: Response,
): Promise<void> {
  const own = Symbol("call");
  unfinished.add(own);
  try {
    const { status, headers } = answer;
    calls.push({ ...sent, requestHeaders, status, headers: Object.fromEntries(headers), answer: await answer.text() });
  } catch {
    // Cut off in the middle, as a test requested.
  } finally {
    unfinished.delete(own);
  }
}

async function takeRecording(account: DurableObjectStub<EmulatorAccount>): Promise<Recording> {
  // Another request's promise can't be waited for here.
  for (let wait = 0; unfinished.size > 0 && wait < 100; wait += 1) await scheduler.wait(10);
  const events: unknown = JSON.parse(await account.events());
  return { calls: calls.splice(0), deliveries: deliveries.splice(0), events: Array.isArray(events) ? events : [] };
}
