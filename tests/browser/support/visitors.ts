import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { hasDevices } from "#app/features/devices/plans.rules.ts";
import { product } from "#app/product/config.ts";
import { featureSamples } from "#tests/support/features.ts";
import { free, small } from "#tests/support/billing/catalogue.ts";
import {
  activateDevice,
  askForChange,
  askForCode,
  closeAccount,
  licenceKeyOf,
  openCheckout,
  signUp,
  typeCode,
} from "#tests/support/clients/customers.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import type { Site } from "#tests/support/site/site.ts";
import { type Browsing, emailedLink } from "./steps.ts";

export type Outcome = "paid" | "cancelled" | "declined" | "processing" | "action" | "expired";

/** A visitor who requested a code and hasn't entered it. */
export async function askingVisitor(site: Site, address: string): Promise<Visitor> {
  return askForCode(await site.visitor().open(`/signup?plan=${small.id}&interval=month`), address);
}

/** Every account's last re-authentication is too old for protected actions, and each may get a code immediately. */
export async function outdateReauthentications(site: Site): Promise<void> {
  const database = await site.database();
  await database.exec("update sessions set proven_at = proven_at - 900000; delete from codes; delete from quota_uses");
}

/** An account that changed its address, and requested another change; the link reverts the first one. */
export async function movingVisitor(site: Site): Promise<{ moving: Visitor; revert: string }> {
  const moving = await signUp(site, "moving@example.com");
  await askForChange(moving, "moved@example.com");
  await typeCode(moving, await site.codeTo("moved@example.com"));
  await askForChange(moving, "moved.again@example.com");
  return { moving, revert: await emailedLink(site, "moving@example.com", "/verify", 2) };
}

/** A customer whose payment ended in this state, on the page that it led to. */
export async function payer(site: Site, address: string, outcome: Outcome): Promise<Visitor> {
  const visitor = await signUp(site, address);
  const session = await openCheckout(visitor);
  const control = async (what: string) =>
    (await site.stripe?.control("checkout", { session, outcome: what }))?.redirect;
  let back = await control(outcome);
  // A refused card leaves the hosted page open; the customer goes back.
  if (outcome === "declined") back = await control("cancelled");
  return visitor.open(back ?? "/payment/success");
}

/** A customer who paid, and then closed the account. */
export async function departing(site: Site, address: string): Promise<Visitor> {
  return closeAccount(await payer(site, address, "paid"));
}

/**
 * An account on the smallest plan there is, with the product on more devices than it has seats, as after leaving a
 * larger plan; one of them uses too much, and sent what features take of a device.
 */
export async function deviceOwner(site: Site, address: string, isPaying = free.prices !== null): Promise<Visitor> {
  const visitor = isPaying ? await payer(site, address, "paid") : await signUp(site, address);
  // For the gallery of a product without them.
  if (!hasDevices(product)) return visitor;
  const { status, deviceToken } = await activateDevice(site, await licenceKeyOf(visitor), "Anna's laptop");
  if (status !== 201) throw new Error(`An activation was answered with ${status}`);
  await useDevice(site, deviceToken);
  const others = `with recursive nth (n) as (select 1 union all select n + 1 from nth where n < ?2)
    insert into devices (id, account_id, state, fingerprint_hash, name, platform, activated_at, last_seen_at)
    select id || '_other' || n, account_id, state, 'other' || n, 'A machine whose owner gave it a rather long name', 'Linux',
      activated_at, last_seen_at from devices, nth where account_id = (select id from accounts where email = ?1)`;
  await (await site.database()).prepare(others).bind(address, free.limits.devices).run();
  return visitor;
}

/** Reports one and a half times the limit of the first meter, and sends what features take of a device. */
async function useDevice(site: Site, token: string): Promise<void> {
  const put = async (path: string, body: object) => {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}`, "If-Match": "*" };
    const { status } = await site.fetch(path, { method: "PUT", headers, body: JSON.stringify(body) });
    if (status !== 200) throw new Error(`${path} was answered with ${status}`);
  };
  const [meter] = (product as ProductConfig).meters;
  const limit = free.limits[meter?.limit ?? ""] ?? 0;
  if (meter) await put("/api/v1/usage", { meter: meter.key, value: Math.ceil(limit * 1.5), at: Date.now() });
  for (const [name, body] of featureSamples.flatMap(({ callBodies = {} }) => Object.entries(callBodies)))
    await put(`/api/v1${name.replace("PUT ", "")}`, body(0));
}

/** Copies a visitor's cookies into Chromium, which is then signed in to the same account. */
export function lendCookies({ cookies }: Visitor, browsing: Browsing, origin: string): Promise<void> {
  return setCookies(cookies, browsing, origin);
}

/** Copies the cookies of a page into another browser. */
export async function lendCookiesOf(lender: Browsing, browsing: Browsing, origin: string): Promise<void> {
  const cookies = (await lender.context.cookies()).map(({ name, value }) => [name, value] as const);
  await setCookies(cookies, browsing, origin);
}

type Cookies = Iterable<readonly [name: string, value: string]>;

async function setCookies(cookies: Cookies, { page, context }: Browsing, origin: string): Promise<void> {
  // Playwright's own addCookies gives every cookie a domain, which `__Host-` cookies must not have.
  const devTools = await context.newCDPSession(page);
  for (const [name, value] of cookies) {
    if (/^(__Host-)?flash$/.test(name)) continue;
    await devTools.send("Network.setCookie", { name, value, url: origin, path: "/", secure: true, httpOnly: true });
  }
  await devTools.detach();
}
