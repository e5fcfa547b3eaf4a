import { type AccountOptions, openAccount, serve } from "stripe-emulator";
import { reportFindings } from "#tests/support/billing/stripe-contract.ts";
import type { Call, Delivery } from "./recording.ts";

/**
 * Starts the Stripe emulator for its own tests, on Node, with its traffic recorded. What was recorded is checked against the SDK's types
 * when it is closed. The emulator's own modules know nothing of it.
 */
const deliveries: Delivery[] = [];

const plainFetch = globalThis.fetch;
globalThis.fetch = (input: RequestInfo | URL, init?: RequestInit) => {
  const headers = new Headers(init?.headers);
  if (headers.has("stripe-signature") && typeof init?.body === "string") {
    deliveries.push({ url: String(input), headers: Object.fromEntries(headers), body: init.body });
  }
  return plainFetch(input, init);
};

export async function start(options: AccountOptions) {
  const { account, close } = openAccount(options);
  const calls: Call[] = [];
  const unfinished = new Set<Promise<void>>();

  const writeDown = async (sent: Omit<Call, "status" | "headers" | "answer">, answer: Response): Promise<void> => {
    const { status, headers } = answer;
    calls.push({ ...sent, status, headers: Object.fromEntries(headers), answer: await answer.text() });
  };

  const answerRecorded = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith("/v1/")) return account.fetch(request);
    const copy = request.clone();
    // Both read the body as it arrives.
    const [answer, body] = await Promise.all([account.fetch(request), copy.text()]);
    const sent = { method: request.method, path: pathname, query: search.slice(1), body };
    const requestHeaders = Object.fromEntries(request.headers);
    // Cut off in the middle, as a test requested.
    unfinished.add(writeDown({ ...sent, requestHeaders }, answer.clone()).catch(() => undefined));
    return answer;
  };

  const served = await serve(answerRecorded);
  return {
    origin: served.origin,
    close: async () => {
      await served.close();
      await Promise.all(unfinished);
      const events = [...account.store.newestFirst("event")];
      const ids = new Set(events.map(({ id }) => id));
      // Others of this process may run at the same time.
      const own = deliveries.filter(({ body }) => ids.has((JSON.parse(body) as { id: string }).id));
      await close();
      await reportFindings({ calls, deliveries: own, events }, "emulator-tests");
    },
  };
}
