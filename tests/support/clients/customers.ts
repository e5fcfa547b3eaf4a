import { accountMessages } from "#app/routes/settings/account-forms/messages.ts";
import { devicesMessages } from "#app/features/devices/page/messages.ts";
import { accountClosingMessages } from "#app/routes/settings/data/messages.ts";
import { pages, small } from "#tests/support/billing/catalogue.ts";
import { checkoutFields } from "#tests/support/billing/checkout-fields.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import type { Site } from "#tests/support/site/site.ts";

/** What a sign-up needs of a site: its pages and its email. */
type Open = Pick<Site, "visitor" | "codeTo">;
type Terms = { plan?: string; interval?: "month" | "year"; card?: string | undefined };

/** Stripe's own test cards: https://docs.stripe.com/testing */
export const cards = {
  good: "4242424242424242",
  another: "5555555555554444",
  third: "4000000000007726",
  unlike: "4000000000005126",
  failsLater: "4000000000000341",
  asksAlways: "4000002760003184",
} as const;

/** Asks for a code on the page to sign up or to sign in. */
export async function askForCode(visitor: Visitor, address: string): Promise<Visitor> {
  const terms = visitor.html.includes('name="terms"');
  return visitor.submit("email", { email: address, ...(terms && { terms: "on" }) });
}

/** Types a code where the page asks for one, for any purpose. */
export async function typeCode(visitor: Visitor, code: string): Promise<Visitor> {
  return visitor.submit("code", { code });
}

let people = 0;

/** An account that signed up with a new address. */
export async function newCustomer(site: Open, query = ""): Promise<{ visitor: Visitor; address: string }> {
  people += 1;
  const address = `customer-${people}@example.com`;
  return { visitor: await signUp(site, address, query), address };
}

/** An account that signed up, by default for a plan: it is on that plan's confirmation. */
export async function signUp(
  site: Open,
  address: string,
  query = `?plan=${small.id}&interval=month`,
): Promise<Visitor> {
  const visitor = await askForCode(await site.visitor().open(`/signup${query}`), address);
  return typeCode(visitor, await site.codeTo(address));
}

/**
 * Signs in with another browser, by the code in the `nth` email. Half a minute must pass between two codes for an
 * address, which is skipped here.
 */
export async function signIn(site: Site, address: string, nth?: number): Promise<Visitor> {
  await (await site.database()).exec("delete from quota_uses where quota like '%.codes'");
  const expected = nth ?? (await site.emailsTo(address, 0)).length + 1;
  const visitor = await askForCode(await site.visitor().open("/login"), address);
  return typeCode(visitor, await site.codeTo(address, expected));
}

/** Goes from a plan's confirmation to the hosted checkout; returns the id of its session. */
export async function openCheckout(visitor: Visitor): Promise<string> {
  await visitor.submit("quote");
  return new URL(visitor.url).pathname.split("/").at(-1) ?? "";
}

/** Pays with a card on the hosted checkout, and comes back. */
export async function payByCard(visitor: Visitor, card: string = cards.good): Promise<Visitor> {
  const checkout = visitor.url;
  const paid = await send(checkout, checkoutFields(card));
  const back = paid.startsWith(`${checkout}/confirm`) ? await send(paid, { answer: "complete" }) : paid;
  return visitor.open(back);
}

/** An account that signed up and pays for a plan, on the page that says so. */
export async function subscriber(site: Open, address: string, terms: Terms = {}): Promise<Visitor> {
  const { plan = small.id, interval = "month", card } = terms;
  const visitor = await signUp(site, address, `?plan=${plan}&interval=${interval}`);
  await openCheckout(visitor);
  return payByCard(visitor, card);
}

/** A new card, by the button that leads to the provider's page for it. */
export async function changeCard(visitor: Visitor, card: string, button: string): Promise<Visitor> {
  await visitor.press(button);
  await send(visitor.url, { testCard: card });
  return visitor.open(await wayOutOfPortal(visitor));
}

/** Where the portal's own link back to the site leads. */
export async function wayOutOfPortal(visitor: Visitor): Promise<string> {
  const page = await (await fetch(visitor.url)).text();
  const [, back = ""] = /<a href="([^"]+)">Back to the site/.exec(page) ?? [];
  return back.replaceAll("&amp;", "&");
}

/** Submits a form on one of the provider's pages; returns where it redirects. */
export async function send(url: string, fields: Record<string, string>): Promise<string> {
  const answer = await fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) });
  const location = answer.headers.get("Location");
  if (!location) throw new Error(`${url} led nowhere: ${answer.status} ${await answer.text()}`);
  return new URL(location, url).href;
}

/** Asks for a code at another address, as a change of address begins. */
export async function askForChange(visitor: Visitor, address: string): Promise<Visitor> {
  await visitor.open("/settings/security");
  return visitor.press(accountMessages.en.changeAddress, { email: address });
}

export async function closeAccount(visitor: Visitor): Promise<Visitor> {
  await visitor.open("/settings/data");
  return visitor.press(accountClosingMessages.en.close.button);
}

export async function licenceKeyOf(visitor: Visitor): Promise<string> {
  await visitor.open(pages.account);
  await visitor.press(devicesMessages.en.key.show);
  return /\b([0-9A-Z]{4}-){7}[0-9A-Z]{5}\b/.exec(visitor.html)?.[0] ?? "no key";
}

/** What the product API answers when a device is activated. */
type Activated = { deviceToken: string; entitlement: string; code?: string; url?: string };

/** Activates the product on a device. */
export async function activateDevice(
  site: Pick<Site, "fetch">,
  licenceKey: string,
  name: string,
  headers: Record<string, string> = {},
) {
  const answer = await site.fetch("/api/v1/devices", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ licenceKey, fingerprint: name, name, platform: "Linux" }),
  });
  return { status: answer.status, ...((await answer.json()) as Activated) };
}
