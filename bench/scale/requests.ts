import { askForCode, typeCode } from "#tests/support/clients/customers.ts";
import type { FormSample } from "#tests/support/feature-samples.ts";
import { featureSamples } from "#tests/support/features.ts";
import { pages } from "#tests/support/billing/catalogue.ts";
import type { Site } from "#tests/support/site/site.ts";
import { type ACustomer, aReport } from "../a-customer.ts";
import { deliver, eventOf } from "../billing/customers.ts";

export type RequestInput = { name: string; ask: () => Promise<unknown> };

type Who = { customer: ACustomer; customerId: string };

let requestCount = 0;

/** Pages of a signed-in customer, API calls of their device, a complete sign-in and sign-up, an event about them, the cron. */
export function requestsOf(site: Site, { customer, customerId }: Who): RequestInput[] {
  const { visitor, call, email } = customer;
  const open = (path: string): RequestInput => ({
    name: path,
    ask: async () => expect((await visitor.open(path)).status),
  });
  const settings = [
    "/settings",
    "/settings/security",
    "/settings/notifications",
    "/settings/orders",
    "/settings/orders.csv",
    "/settings/referral",
    "/settings/upgrade",
  ];
  const device = (method: string, path: string, body?: () => object): RequestInput => ({
    name: `${method} /api/v1${path}`,
    ask: async () => expect((await call(method, path, body?.())).status),
  });
  return [
    ...["/", "/login", ...settings, ...Object.values(pages)].map(open),
    ...featureSamples.flatMap(({ forms }) =>
      forms.map((form) => ({ name: `${form.path}, saved`, ask: () => save(customer, form) })),
    ),
    device("GET", "/entitlement"),
    device("GET", "/settings"),
    device("PUT", "/usage", () => aReport((requestCount += 1))),
    { name: "a sign-up", ask: () => signUp(site, `new-${(requestCount += 1)}@example.com`) },
    { name: "a sign-in", ask: () => signIn(site, email) },
    { name: "an event of the provider", ask: () => deliver(site, eventOf(customerId)) },
    { name: "a minute of the clock", ask: () => site.runCron() },
  ];
}

async function save({ visitor }: ACustomer, { path, good }: FormSample): Promise<void> {
  await visitor.open(path);
  expect((await visitor.post(good, path)).status);
}

async function signUp(site: Site, email: string): Promise<void> {
  const visitor = await site.visitor().open("/signup");
  await askForCode(visitor, email);
  expect((await typeCode(visitor, await site.codeTo(email))).status);
}

async function signIn(site: Site, email: string): Promise<void> {
  // Resets the hourly email quota, which isn't what is measured.
  await (await site.database()).exec("delete from quota_uses");
  const before = (await site.emailsTo(email, 0)).length;
  const visitor = await site.visitor().open("/login");
  await askForCode(visitor, email);
  expect((await typeCode(visitor, await site.codeTo(email, before + 1))).status);
  if (visitor.path() !== "/settings") throw new Error(`Signing in led to ${visitor.path()}`);
}

function expect(status: number): void {
  if (status !== 200) throw new Error(`It was answered with ${status}`);
}
