import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { openPaymentProvider } from "./payment-provider.server.ts";
import { stripeApiVersion } from "./version.ts";

const noTax = { automaticTax: false, billingAddress: "auto" } as const;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A Stripe API that responds to every request with an empty list, after a delay. */
function slowProvider(answersAfterMs: number) {
  vi.stubGlobal("fetch", async (_url: string, { signal }: RequestInit) => {
    await pause(answersAfterMs, null, { ...(signal && { signal }) });
    return Response.json({ object: "list", data: [], has_more: false });
  });
  const settings = { webhookSecrets: "", apiBase: "http://stripe.test:1", ...noTax };
  return openPaymentProvider({ key: "local-key", ...settings });
}

test("all calls of a request share one deadline, and each account of a cron job has its own", async () => {
  const provider = slowProvider(30);
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  expect(await provider.listEvents(null)).toMatchObject({ ok: true });
  now.mockReturnValue(7999);
  expect(await provider.listEvents(null)).toMatchObject({ refusal: { reason: "provider-unreachable" } });
  expect(await provider.withOwnDeadline().listEvents(null)).toMatchObject({ ok: true });
});

test("every call sends the API version that this code is written for", async () => {
  const provider = slowProvider(0);
  const called = vi.spyOn(globalThis, "fetch");
  await provider.listEvents(null);
  await provider.listEvents("evt_1");
  const versions = called.mock.calls.map(([, init]) => new Headers(init?.headers).get("Stripe-Version"));
  expect(versions).toEqual([stripeApiVersion, stripeApiVersion]);
});

test("a redirect is not followed, so the key is sent only to the provider's own address", async () => {
  const requests: (string | undefined)[] = [];
  const server = createServer(({ url }, answer) => {
    requests.push(url?.split("?")[0]);
    const found = '{"object": "list", "data": [], "has_more": false}';
    answer
      .writeHead(requests.length === 1 ? 302 : 200, { Location: "/elsewhere" })
      .end(requests.length === 1 ? "" : found);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : null;
  const settings = { webhookSecrets: "", apiBase: `http://127.0.0.1:${port}`, ...noTax };
  try {
    const listed = await openPaymentProvider({ key: "local-key", ...settings }).listEvents(null);
    expect([requests, listed.ok]).toEqual([["/v1/events"], false]);
  } finally {
    server.close();
  }
});

test("prices are requested in groups of ten lookup keys, the provider's maximum", async () => {
  const shown = Array.from({ length: 23 }, (_, index) => ({
    key: `key-${index}`,
    amountMinor: 600,
    currency: "EUR",
    interval: "month" as const,
  }));
  const requests: string[][] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    const lookupKeys = [...new URL(url).searchParams].filter(([name]) => name.startsWith("lookup_keys"));
    requests.push(lookupKeys.map(([, key]) => key));
    const recurring = { interval: "month", interval_count: 1 };
    const price = { active: true, tax_behavior: "inclusive", unit_amount: 600, currency: "eur", recurring };
    const data = lookupKeys.map(([, key]) => ({
      id: `price_${key}`,
      object: "price",
      lookup_key: key,
      metadata: {},
      ...price,
    }));
    return Response.json({ object: "list", data, has_more: false });
  });
  const settings = { webhookSecrets: "", apiBase: "http://stripe.test:1", ...noTax };
  const provider = openPaymentProvider({ key: "local-key", ...settings });
  expect(await provider.comparePrices(shown)).toEqual({ ok: true, value: [] });
  expect(requests.map(({ length }) => length)).toEqual([10, 10, 3]);
  expect(requests.flat()).toEqual(shown.map(({ key }) => key));
  const dearer = await provider.comparePrices(shown.map((each) => ({ ...each, amountMinor: 700 })));
  expect(dearer).toEqual({
    ok: true,
    value: shown.map(({ key }) => expect.stringMatching(new RegExp(`^${key} `, "u"))),
  });
});

test.each([
  ["an empty object", {}],
  ["another object", { id: "cus_1", object: "balance" }],
  ["lists and objects that lack fields", { object: "list", data: [{ object: "event" }, {}], has_more: false }],
  ["a list of other objects", { object: "list", data: [{ id: "in_1", object: "invoice" }], has_more: false }],
])("an answer with %s counts as none, and is reported without ids", async (_, answer) => {
  vi.stubGlobal("fetch", async () => Response.json(answer));
  const reports: unknown[] = [];
  const settings = {
    webhookSecrets: "",
    apiBase: "http://stripe.test:1",
    report: (error: unknown) => reports.push(error),
  };
  const provider = openPaymentProvider({ key: "local-key", ...settings, ...noTax });
  const unanswered = { ok: false, refusal: { reason: "provider-unreachable", isFinal: false } };
  expect(await provider.listEvents(null)).toMatchObject(unanswered);
  expect(await provider.endSubscription("sub_1234")).toMatchObject(unanswered);
  expect(await provider.openPortal("cus_1234", "https://site.example")).toMatchObject(unanswered);
  expect(await provider.fetchBilling("cus_1234")).toMatchObject(unanswered);
  expect(reports.length).toBeGreaterThanOrEqual(4);
  expect(reports.map(String).join(" ")).not.toContain("1234");
});
