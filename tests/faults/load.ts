import { devicesMessages } from "#app/features/devices/page/messages.ts";
import { withdrawMessages } from "#app/routes/withdraw/messages.ts";
import { featureSamples } from "#tests/support/features.ts";
import { pages, small } from "#tests/support/billing/catalogue.ts";
import { checkoutFields } from "#tests/support/billing/checkout-fields.ts";
import { askForCode, licenceKeyOf, openCheckout, signUp, typeCode } from "#tests/support/clients/customers.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { featureWays } from "./features.ts";
import type { RunningSite } from "./running-site.ts";
import type { Person, Promised, Way } from "./way.ts";

type Regular = { visitor: Visitor; address: string };

/** Users with an account come again after the site was killed: cookies outlive it. */
const regulars: Regular[] = [];

const newcomer: Way = async (site, { address, promise }) => {
  regulars.push({ visitor: await signUp(site, address), address });
  promise("account");
};

/** What a customer does in one go. */
const actions: ((site: RunningSite, regular: Regular, person: Person) => Promise<void>)[] = [
  async function buy(_site, { visitor, address }, { promise }) {
    await visitor.open(`/settings/upgrade?plan=${small.id}&interval=month`);
    if (!visitor.text().includes(`Start ${small.name}`)) return;
    await openCheckout(visitor);
    const card = new URLSearchParams(checkoutFields("4242424242424242"));
    const paid = await fetch(visitor.url, { method: "POST", redirect: "manual", body: card });
    if (paid.status !== 303) return;
    promise("order", address);
    await visitor.open(paid.headers.get("Location") ?? "/payment/success");
  },
  async function activate(site, { visitor, address }, { promise, random }) {
    if (!(await visitor.open(pages.account)).text().includes(devicesMessages.en.key.show)) return;
    const licenceKey = await licenceKeyOf(visitor);
    const fingerprint = `${address}-${Math.floor(random() * 5)}`;
    const body = JSON.stringify({ licenceKey, fingerprint, name: "Laptop", platform: "Linux" });
    const headers = { "Content-Type": "application/json" };
    const activated = await site.fetch("/api/v1/devices", { method: "POST", headers, body });
    const device = (await activated.json()) as { deviceToken?: string };
    if (activated.status !== 201) return;
    promise("device", address);
    const own = { ...headers, Authorization: `Bearer ${device.deviceToken}`, "If-Match": "*" };
    for (const [name, body] of featureSamples.flatMap(({ callBodies = {} }) => Object.entries(callBodies))) {
      const [method = "", path = ""] = name.split(" ");
      await (await site.fetch(`/api/v1${path}`, { method, headers: own, body: JSON.stringify(body(0)) })).text();
    }
  },
  async function leave(_site, { visitor }, { random }) {
    await visitor.post({ intent: "delete" }, "/settings/data");
    if (random() < 0.8) await visitor.post({ intent: "restore" }, "/settings");
  },
  async function rename(_site, { visitor }) {
    await visitor.post({ intent: "profile", name: "Mara", timeZone: "UTC" }, "/settings/profile");
  },
  async function changeAddress(site, { visitor }, { address }) {
    await visitor.post({ intent: "change-email", email: `moved-${address}` }, "/settings/security");
    if (visitor.path().startsWith("/verify")) await typeCode(visitor, await site.codeTo(`moved-${address}`));
  },
];

const comesAgain: Way = async (site, person) => {
  // Each browser does one thing at a time here: races.test.ts is for the rest.
  const [regular] = regulars.splice(Math.floor(person.random() * regulars.length), 1);
  const action = actions[Math.floor(person.random() * person.random() * actions.length)];
  if (!regular) return;
  try {
    await action?.(site, regular, person);
  } finally {
    regulars.push(regular);
  }
};

const declarer: Way = async (site, { address, promise }) => {
  const visitor = await site.visitor().open("/withdraw");
  await visitor.press(withdrawMessages.en.form.submit, { name: "Mara", order: "2026-000001", email: address });
  await visitor.press(withdrawMessages.en.review.submit);
  promise("withdrawal");
};

/** Referred by an existing account. */
const friend: Way = async (site, { address, promise, random }) => {
  const [owner] = regulars.splice(Math.floor(random() * regulars.length), 1);
  const page = await owner?.visitor.open("/settings/referral").finally(() => regulars.push(owner));
  const visitor = await site.visitor().open(/\/\?ref=[a-z0-9]+/.exec(page?.html ?? "")?.[0] ?? "/");
  await visitor.open("/signup");
  await askForCode(visitor, address);
  await typeCode(visitor, await site.codeTo(address));
  regulars.push({ visitor, address });
  promise("account");
};

const ways: Way[] = [newcomer, comesAgain, comesAgain, comesAgain, comesAgain, friend, declarer, ...featureWays];
let people = 0;

/** This many concurrent users, each with one request after the other, until the site is killed; and the cron job, without pauses. */
export async function pressOn(site: RunningSite, random: () => number, until: AbortSignal, promised: Promised[]) {
  const failures: string[] = [];
  const come = async () => {
    while (!until.aborted) {
      people += 1;
      const address = `person-${people}@example.com`;
      const promise: Person["promise"] = (what, who = address) => void (until.aborted || promised.push({ what, who }));
      const way = ways[Math.floor(random() * ways.length)] ?? newcomer;
      // A request that is running when the site is killed gets a broken connection.
      await way(site, { address, random, promise }).catch((error) => until.aborted || failures.push(String(error)));
    }
  };
  const runCron = async () => {
    while (!until.aborted) await site.runCron(random() * 5).catch(() => undefined);
  };
  await Promise.all([...Array.from({ length: 8 }, come), runCron()]);
  return failures;
}
