import { askForCode, typeCode } from "#tests/support/clients/customers.ts";
import { pages } from "#tests/support/billing/catalogue.ts";
import { publicPages } from "#tests/support/site/addresses.ts";
import { featureSamples } from "#tests/support/features.ts";
import type { Site } from "#tests/support/site/site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { aCustomer, aReport, nextNetwork } from "../a-customer.ts";

/** One action of a customer, under the name by which it is counted. */
export type Step = { name: string; run: () => Promise<unknown> };

type Ask = { site: Site; envelope: Buffer };

/** Everything that a customer does from their first visit until they leave, step by step, each with its response. */
export async function* walk({ site, envelope }: Ask, nth: number): AsyncGenerator<Step> {
  const stranger = site.visitor();
  for (const path of ["/", "/login", ...publicPages(), "/legal/terms"]) yield open(stranger, path);
  yield {
    name: "GET a page that isn't there",
    run: async () => expectStatus((await stranger.open("/nowhere")).status, 404),
  };
  yield post(site, "/monitoring", envelope);
  const email = `soak-${nth}@example.com`;
  let customer: Awaited<ReturnType<typeof aCustomer>> | undefined;
  yield { name: "sign up, pay, activate", run: async () => (customer = await aCustomer(site, email)) };
  if (!customer) return;
  const { visitor, call } = customer;
  const settings = [
    "/settings",
    "/settings/security",
    "/settings/notifications",
    "/settings/orders",
    "/settings/orders.csv",
    "/settings/referral",
    "/settings/upgrade",
  ];
  for (const path of [...settings, ...Object.values(pages)]) yield open(visitor, path);
  for (const { path, good } of featureSamples.flatMap(({ forms }) => forms))
    yield { name: `POST ${path}`, run: async () => expectStatus((await visitor.post(good, path)).status) };
  yield press(visitor, "/settings/profile", "Save", { name: `Person ${nth}` });
  for (let times = 1; times <= 4; times++) {
    yield { name: "GET /api/v1/entitlement", run: async () => expectOk(await call("GET", "/entitlement")) };
    yield { name: "PUT /api/v1/usage", run: async () => expectOk(await call("PUT", "/usage", aReport(times * nth))) };
    yield { name: "GET /api/v1/settings", run: async () => expectOk(await call("GET", "/settings")) };
    yield post(site, "/monitoring", envelope);
  }
  yield press(visitor, "/settings", "Sign out");
  yield {
    name: "sign in",
    run: async () => {
      await visitor.open("/login");
      await askForCode(visitor, email);
      const emails = await site.emailsTo(email, 3);
      const code = emails.map(({ subject }) => /\b\d{8}\b/.exec(subject)?.[0]).find((found) => found !== undefined);
      expectStatus((await typeCode(visitor, code ?? "")).status);
      if (visitor.path() !== "/settings") throw new Error(`signing in led to ${visitor.path()}`);
    },
  };
  yield press(visitor, "/settings", "Sign out");
}

function open(visitor: Visitor, path: string): Step {
  return { name: `GET ${path}`, run: async () => expectStatus((await visitor.open(path)).status) };
}

/** Presses a button on a page, and opens the page that it leads to. */
function press(visitor: Visitor, path: string, label: string, typed: Record<string, string> = {}): Step {
  return {
    name: `${label} on ${path}`,
    run: async () => expectStatus((await (await visitor.open(path)).press(label, typed)).status),
  };
}

function post(site: Site, path: string, body: Buffer): Step {
  const headers = { "CF-Connecting-IP": nextNetwork() };
  return {
    name: `POST ${path}`,
    run: async () => expectOk(await site.fetch(path, { method: "POST", headers, body: new Uint8Array(body) })),
  };
}

async function expectOk(answer: Response): Promise<void> {
  await answer.arrayBuffer();
  expectStatus(answer.status);
}

function expectStatus(status: number, expected = 200): void {
  if (status !== expected) throw new Error(`answered with ${status}`);
}
