import { expect, test } from "vitest";
import { plainPagesMessages } from "#app/plain-pages.messages.ts";
import { operatorToken } from "#tests/support/clients/operator-driver.ts";
import { signUp } from "#tests/support/clients/customers.ts";
import { useSite } from "#tests/support/site/use-site.ts";

const site = useSite();
const { maintenance } = plainPagesMessages.en;
const authorization = { Authorization: `Bearer ${operatorToken}` };

test("under maintenance, nothing is read, written or sent, and everyone is asked to come back", async () => {
  const customer = await signUp(site, "mara@example.com", "");
  await site.runCron();
  await site.setMaintenance("on");
  // As during a restore: whatever is read now fails.
  await (await site.database()).exec("alter table accounts rename to restored");

  const requests: [string, RequestInit][] = [
    ["/", {}],
    ["/settings", { headers: { Cookie: "__Host-session=any" } }],
    ["/webhooks/stripe", { method: "POST", body: "{}" }],
    ["/webhooks/email", { method: "POST", body: "{}" }],
    ["/login", { method: "POST", body: new URLSearchParams({ email: "mara@example.com" }) }],
  ];
  for (const [path, init] of requests) {
    const answer = await site.fetch(path, init);
    expect([path, answer.status, answer.headers.get("Retry-After")]).toEqual([path, 503, "300"]);
    expect([answer.headers.get("Cache-Control"), answer.headers.get("X-Frame-Options")]).toEqual(["no-store", "DENY"]);
  }
  await customer.open("/settings");
  expect([customer.status, customer.heading()]).toEqual([503, maintenance.title]);

  for (const [path, page] of [
    ["/_.data", "/"],
    ["/settings/orders.data?year=2026&_routes=root", "/settings/orders?year=2026"],
  ] as const) {
    const { status, headers } = await site.fetch(path);
    expect([status, headers.get("Cache-Control")]).toEqual([204, "no-cache"]);
    expect([headers.get("X-Remix-Redirect"), headers.get("X-Remix-Reload-Document")]).toEqual([page, "true"]);
  }
  const form = { method: "POST", body: new URLSearchParams({ email: "mara@example.com" }) };
  expect((await site.fetch("/login.data", form)).status).toBe(503);

  const call = await site.fetch("/api/v1/devices/current", { headers: authorization });
  expect([call.status, call.headers.get("Content-Type")]).toEqual([503, "application/problem+json"]);
  expect([await call.json(), call.headers.get("Retry-After")]).toEqual([
    expect.objectContaining({ code: "maintenance", status: 503 }),
    "300",
  ]);
  const health = await site.fetch("/healthz", { headers: authorization });
  expect([health.status, await health.json()]).toEqual([503, { status: "maintenance" }]);
  expect((await site.fetch("/monitoring", { method: "POST", body: "{}" })).status).not.toBe(503);

  expect((await site.deliver({ type: "any" })).retryBatch.retry).toBe(true);
  await (await site.database()).exec("alter table restored rename to accounts");
  await site.runCron(Date.UTC(2040, 0, 1));
  await site.setMaintenance("");
  const after = await (await site.fetch("/healthz", { headers: authorization })).json();
  expect(after).toMatchObject({ status: "ok", cron: { lastRunAt: expect.not.stringMatching("^2040") } });
  await customer.open("/settings");
  expect(customer.status).toBe(200);
});
