import { small } from "#tests/support/catalogue.ts";
import type { Site } from "#tests/support/site.ts";
import type { Visitor } from "#tests/support/visitor.ts";
import { type Browsing, mailedCode, mailedLink } from "./steps.ts";

export type Outcome = "paid" | "cancelled" | "declined" | "processing" | "action" | "expired";

/** Somebody who asked for a code and hasn't typed it. */
export async function askingVisitor(site: Site, address: string): Promise<Visitor> {
  const visitor = site.visitor();
  await visitor.open(`/signup?plan=${small.id}&interval=month`);
  return visitor.press("Send me a code", { email: address, terms: "on" });
}

/** Somebody who signed up, without a browser, which is quicker. */
export async function customer(site: Site, address: string): Promise<Visitor> {
  const visitor = await askingVisitor(site, address);
  return visitor.press("Confirm", { code: await mailedCode(site, address) });
}

/** Somebody who changed their address, and asked for another one; the link takes the first change back. */
export async function movingVisitor(site: Site): Promise<{ moving: Visitor; revert: string }> {
  const moving = await customer(site, "moving@example.com");
  await moving.post({ intent: "change-email", email: "moved@example.com" }, "/settings");
  await moving.press("Confirm", { code: await mailedCode(site, "moved@example.com") });
  await moving.post({ intent: "change-email", email: "moved.again@example.com" }, "/settings");
  return { moving, revert: await mailedLink(site, "moving@example.com", "/verify", 2) };
}

/** Somebody whose payment came to this, standing where it led. */
export async function payer(site: Site, address: string, outcome: Outcome): Promise<Visitor> {
  const visitor = await customer(site, address);
  await visitor.press(`Start ${small.name}`);
  const session = new URL(visitor.url).pathname.split("/").at(-1) ?? "";
  const control = async (what: string) =>
    (await site.stripe?.control("checkout", { session, outcome: what }))?.redirect;
  let back = await control(outcome);
  // A refused card leaves the hosted page open; its holder goes back.
  if (outcome === "declined") back = await control("cancelled");
  return visitor.open(back ?? "/payment/success");
}

/** Somebody who paid, and then closed the account. */
export async function leaver(site: Site, address: string): Promise<Visitor> {
  const visitor = await payer(site, address, "paid");
  await visitor.open("/settings");
  return visitor.press("Close it now");
}

/** Brings a visitor's cookies into Chromium: from here on it is the same person. */
export async function lendCookies(visitor: Visitor, { page, context }: Browsing, origin: string): Promise<void> {
  // Playwright's own addCookies gives every cookie a domain, which `__Host-` cookies must not have.
  const devTools = await context.newCDPSession(page);
  for (const [name, value] of visitor.cookies) {
    if (name === "__Host-flash") continue;
    await devTools.send("Network.setCookie", { name, value, url: origin, path: "/", secure: true, httpOnly: true });
  }
  await devTools.detach();
}
