import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import routes from "#app/routes.ts";
import { customerOf } from "#tests/http/plans/subscribers.ts";
import { featureSamples } from "#tests/support/features.ts";
import { pages, small } from "#tests/support/billing/catalogue.ts";
import { checkoutFields } from "#tests/support/billing/checkout-fields.ts";
import {
  licenceKeyOf,
  askForCode,
  cards,
  openCheckout,
  send,
  signUp,
  subscriber,
} from "#tests/support/clients/customers.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import type { Site } from "#tests/support/site/site.ts";
import { featureUnfinished } from "./features.ts";
import { shown, type Step } from "./way.ts";

export type Outcome = { step: string; status: number; text: string; ms: number };

type Entry = { path?: string; children?: Entry[] };

/** Every address that can be visited, from app/routes.ts, with a value for each parameter of a pattern. */
export function everyPath(entries: Entry[] = routes, above = ""): string[] {
  return entries.flatMap((entry) => {
    const path = entry.path === undefined ? above : `${above}/${entry.path}`;
    if (entry.children) return everyPath(entry.children, path);
    return [path.replace(":status", "success").replace(":page", "terms").replace("*", "nothing/here") || "/"];
  });
}

let calls = 0;
let changes = 0;
const ofFeatures = featureSamples.flatMap(({ callBodies = {} }) => Object.entries(callBodies));

async function read(answer: Promise<Response>) {
  const response = await answer;
  return { status: response.status, text: await response.text() };
}

/** A customer with a device, with nothing that can be used up. */
export async function aRegular(site: Site, address: string) {
  const visitor = await subscriber(site, address);
  let key = await licenceKeyOf(visitor);
  const call = (method: string, path: string, body?: object, token?: string) => {
    calls += 1;
    const headers = {
      ...(body && { "Content-Type": "application/json" }),
      ...(token && { Authorization: `Bearer ${token}` }),
      "If-Match": "*",
      "CF-Connecting-IP": `203.0.${Math.floor(calls / 250) % 250}.${(calls % 250) + 1}`,
    };
    return site.fetch(`/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  };
  const machine = (name: string) => ({ licenceKey: key, fingerprint: name, name, platform: "Linux" });
  const activated = await call("POST", "/devices", machine("first"));
  const { deviceToken: token } = (await activated.json()) as { deviceToken: string };
  const { meters }: ProductConfig = product;
  let second = "none";
  const form = (name: string, path: string, fields: Record<string, string>): Step => ({
    name,
    take: () => shown(visitor.twin().post(fields, path)),
  });
  const steps: Step[] = [
    ...everyPath().map((path) => ({ name: `visit ${path}`, take: () => shown(visitor.twin().open(path)) })),
    form("save the profile", "/settings/profile", { intent: "profile", name: "Mara", timeZone: "UTC" }),
    form("switch emails", "/settings/notifications", { intent: "mails", renewals: "on" }),
    ...featureSamples.flatMap(({ forms }) => forms.map(({ path, good }) => form(`save ${path}`, path, good))),
    form("show the key", pages.account, { intent: "show-key" }),
    form("replace the key", pages.account, { intent: "rotate-key" }),
    form("remove a device", pages.account, { intent: "remove-device", device: "dev_none" }),
    form("end the plan", pages.plan, { intent: "cancel" }),
    form("let it go on", pages.plan, { intent: "resume" }),
    form("change the card", pages.plan, { intent: "update-card" }),
    form("look at another plan", "/settings/upgrade", { intent: "quote", plan: small.id, interval: "year" }),
    form("end other sessions", "/settings/security", { intent: "end-other-sessions" }),
    form("take all data along", "/settings/export", {}),
    form("ask for a change of address", "/settings/security", { intent: "change-email", email: `new-${address}` }),
    { name: "call entitlement", take: () => read(call("GET", "/entitlement", undefined, token)) },
    ...ofFeatures.flatMap(([name, body]) => {
      const [method = "", path = ""] = name.split(" ");
      return [
        { name: `call GET ${path}`, take: () => read(call("GET", path, undefined, token)) },
        { name: `call ${name}`, take: () => read(call(method, path, body((changes += 1)), token)) },
      ];
    }),
    {
      name: "report usage",
      take: () => read(call("PUT", "/usage", { meter: meters[0]?.key, value: 1, at: Date.now() }, token)),
    },
    {
      name: "activate",
      take: async () => {
        // It was replaced meanwhile, unless the page that shows it is what fails.
        const shownNow = await licenceKeyOf(visitor.twin()).catch(() => "no key");
        if (shownNow !== "no key") key = shownNow;
        const answer = await read(call("POST", "/devices", machine("second")));
        if (answer.status === 201) second = String(JSON.parse(answer.text).deviceToken);
        return answer;
      },
    },
    { name: "give the seat back", take: () => read(call("DELETE", "/devices/current", undefined, second)) },
  ];
  return { visitor, steps };
}

/** Accounts in the middle of something that is done once: each can finish it later. */
export async function setUpAccounts(site: Site, mark: string) {
  const names = ["new", "buy", "leave", "paid"].map((who) => `${who}-${mark}@example.com`);
  const [newcomer = "", buyer = "", departing = "", payer = ""] = names;
  const typing = await site.visitor().open("/signup");
  await askForCode(typing, newcomer);
  const code = await site.codeTo(newcomer);
  const ofFeatures = [];
  for (const begin of featureUnfinished) ofFeatures.push(await begin(site, mark));
  const [buying, leaving, paying] = await Promise.all([
    signUp(site, buyer),
    signUp(site, departing),
    signUp(site, payer),
  ]);
  await openCheckout(paying);
  await site.stripe?.control("disorder", { drop: 1000 });
  const back = await send(paying.url, checkoutFields(cards.good));
  await site.stripe?.control("disorder", {});
  const typed = typing.prepareSubmit("code", { code });
  const start = buying.prepareSubmit("quote");
  const bodies = { typed, start };
  const again = ({ path, body }: (typeof bodies)["typed"], visitor: Visitor) =>
    shown(visitor.post(Object.fromEntries(new URLSearchParams(body)), path));
  const ask = (path: string, fields: Record<string, string>) => async () =>
    shown((await site.visitor().open(path)).post(fields, path));
  const steps: Step[] = [
    { name: "type the code", take: () => again(typed, typing) },
    { name: "confirm the purchase", take: () => again(start, buying) },
    { name: "come back from paying", take: () => shown(paying.open(back)) },
    { name: "close the account", take: () => shown(leaving.post({ intent: "delete" }, "/settings/data")) },
    { name: "have it back", take: () => shown(leaving.post({ intent: "restore" }, "/settings")) },
    { name: "ask to sign up", take: ask("/signup", { email: `up-${mark}@example.com`, terms: "on" }) },
    { name: "ask to log in", take: ask("/login", { email: payer }) },
    ...ofFeatures.flatMap(({ steps: own }) => own),
    {
      name: "declare a withdrawal",
      take: ask("/withdraw", { name: "Mara", order: "2026-000001", email: payer, intent: "confirm" }),
    },
    ...["/", "/legal/terms", "/signup", "/login"].map((path) => ({
      name: `a stranger visits ${path}`,
      // With a query: without one it may come from the page cache.
      take: async () => shown(site.visitor().open(`${path}?uncached`)),
    })),
    { name: "tell of a payment", take: async () => read(event(site, payer)) },
    { name: "run the cron job", take: async () => ({ status: 200, text: String(await site.runCron()) }) },
  ];
  return { steps, people: { newcomer, buyer, departing, payer }, ofFeatures };
}

async function event(site: Site, address: string): Promise<Response> {
  const sdk = site.stripe?.sdk;
  const data = { object: { object: "invoice", customer: await customerOf(site, address) } };
  const payload = JSON.stringify({ id: `evt_${address}`, object: "event", type: "invoice.paid", created: 1, data });
  const signature = sdk?.webhooks.generateTestHeaderString({ payload, secret: "local-stripe-webhook-secret" }) ?? "";
  const headers = { "Stripe-Signature": signature };
  return site.fetch("/webhooks/stripe", { method: "POST", body: payload, headers });
}
