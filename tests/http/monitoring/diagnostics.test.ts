import { request } from "node:http";
import { beforeEach, describe, expect, test } from "vitest";
import { itemsIn } from "#tests/support/monitoring/in-process-tunnel.ts";
import { useReceiver } from "#tests/support/monitoring/sentry-receiver.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { payer } from "#tests/browser/support/visitors.ts";

/** What the Worker itself reports when every trace is kept. */
const receiver = useReceiver();
const site = useSite(() => ({ vars: { SENTRY_DSN: receiver.dsn, SENTRY_TRACES_SAMPLE_RATE: "1" } }));
let earlier = 0;

beforeEach(() => {
  earlier = receiver.received.length;
});

type Span = { op: string; description: string };
type Payload = {
  transaction?: string;
  spans?: Span[];
  contexts?: { trace: { op: string } };
};

function sent(): { type: string; payload: Payload }[] {
  const received = receiver.received.slice(earlier).flatMap(itemsIn);
  return received.map(({ type, payload }) => ({ type, payload: JSON.parse(payload) }));
}

function names(): string[] {
  return sent().map(({ type, payload }) => `${type} ${payload.transaction}`);
}

const lastPage = "transaction GET /legal/:page";

/** A page whose trace comes last, or nearly: what was sent before may still be pending. */
async function openLastPage(): Promise<void> {
  // With a query: without one the page may have been rendered and traced before.
  await (await site.fetch("/legal/imprint?last")).text();
  await expect.poll(names, { timeout: 10_000 }).toContain(lastPage);
}

async function expectSent(...expected: string[]): Promise<void> {
  await openLastPage();
  await expect.poll(() => names().sort(), { timeout: 10_000 }).toEqual([...expected, lastPage].sort());
}

/** With methods that `fetch` refuses to send; returns the status. */
function send(method: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { hostname: host, port } = new URL(site.origin);
  return new Promise((resolve, reject) => {
    const sending = request({ host, port, method, path, headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
    });
    sending.on("error", reject).end();
  });
}

describe("no event and no trace is sent", () => {
  test("for a scanner that requests common paths of other software", async () => {
    const files = [
      "wp-login.php",
      ".env",
      ".git/config",
      "xmlrpc.php",
      "admin",
      "phpinfo.php",
      "server-status",
      "dump.sql",
    ];
    const folders = ["", "wp/", "old/", "settings/", "legal/", "payment/", "api/"];
    const paths = folders.flatMap((folder) => files.map((file) => `/${folder}${file}`));
    expect(paths.length).toBeGreaterThan(50);
    const statuses = [];
    for (const path of paths) statuses.push(await send("GET", path));
    expect([...new Set(statuses)]).toEqual([404]);
    await expectSent();
  });

  test.each([
    ["POST", "/", 405],
    ["POST", "/legal/terms", 405],
    ["POST", "/healthz", 405],
    ["POST", "/wp-login.php", 404],
    ["POST", "/nothing.data", 404],
    ["GET", "/nothing.data", 404],
    ["HEAD", "/nothing", 404],
    ["GET", "/%E0%A4%A", 404],
    ["PUT", "/login", 405],
    ["DELETE", "/settings", 405],
    ["OPTIONS", "/login", 405],
    ["PROPFIND", "/", 405],
    ["TRACE", "/", 405],
    ["GET", "/webhooks/stripe", 400],
    ["POST", "/webhooks/stripe", 400],
  ])("for %s %s, which is answered with %i", async (method, path, status) => {
    expect(await send(method, path, method === "POST" ? { Origin: site.origin } : {})).toBe(status);
    await expectSent();
  });

  test("for an invalid form, and for one from another origin", async () => {
    const noForm = { Origin: site.origin, "Content-Type": "application/json" };
    expect(await send("POST", "/login", noForm)).toBe(400);
    expect(await send("POST", "/login", { Origin: "https://evil.example" })).toBe(403);
    await expectSent();
  });
});

describe("one trace and no event is sent", () => {
  test("for a page, named after its method and route, with its queries as spans", async () => {
    const visitor = await payer(site, "grace@example.com", "paid");
    const order = new URL(visitor.url).searchParams.get("order") ?? "";
    await openLastPage();
    earlier = receiver.received.length;
    await visitor.open(`/settings/orders/${order}`);
    expect(visitor.status).toBe(200);
    await expectSent("transaction GET /settings/orders/:order");
    const spans =
      sent().find(({ payload }) => payload.transaction === "GET /settings/orders/:order")?.payload.spans ?? [];
    expect(spans.map(({ op }) => op)).toEqual(["db.query", "db.query"]);
    expect(spans[0]?.description).toMatch(/^select .* from "sessions"/);
    expect(spans[1]?.description).toBe("D1 batch");
  });

  test("for the data of a page, and for a redirect, under the same routes", async () => {
    await (await site.fetch("/legal/terms.data?_routes=root")).text();
    expect((await site.fetch("/settings/orders/ord_1")).status).toBe(303);
    await expectSent("transaction GET /legal/:page", "transaction GET /settings/orders/:order");
  });

  test("for each request of a purchase, including emails and calls to the payment provider, without personal data", async () => {
    const address = "hedy.lamarr@example.com";
    const visitor = await payer(site, address, "paid");
    const order = new URL(visitor.url).searchParams.get("order") ?? "";
    const emails = await site.emailsTo(address, 2);
    await openLastPage();
    const traces = sent().map(({ type, payload }) => `${type} ${payload.contexts?.trace.op}`);
    expect([...new Set(traces)]).toEqual(["transaction http.server"]);
    expect(names()).toEqual(
      expect.arrayContaining(["transaction POST /settings/upgrade", "transaction POST /webhooks/stripe"]),
    );
    const texts = receiver.received
      .slice(earlier)
      .map(({ text }) => text)
      .join("\n");
    const codes = emails.flatMap(({ subject }) => /\b\d{8}\b/.exec(subject) ?? []);
    const secrets = [address, order, ...codes, ...visitor.cookies.values(), "Set-Cookie", "set_cookie", "__Host-"];
    expect(secrets.length).toBeGreaterThan(7);
    expect(secrets.filter((secret) => texts.includes(secret) || texts.includes(encodeURIComponent(secret)))).toEqual(
      [],
    );
  });
});
