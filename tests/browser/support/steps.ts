import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { amount, minor, pattern, small } from "#tests/support/billing/catalogue.ts";
import type { Chromium, PageOptions } from "#tests/support/clients/chromium.ts";
import type { Site } from "#tests/support/site/site.ts";

export type Browsing = Awaited<ReturnType<Chromium["newPage"]>>;

/** The code in the newest email to an address, which is the `nth` one. */
export async function mailedCode(site: Site, address: string, nth = 1): Promise<string> {
  const [mail] = await site.mailsTo(address, nth);
  return /\b\d{8}\b/.exec(mail?.subject ?? "")?.[0] ?? "no code";
}

/** The email of the newest code for an address was sent, and the outbox has stored that. */
export async function codeHasLeft(site: Site, address: string): Promise<void> {
  const database = await site.database();
  const sql = `select m.state from mails m join codes c on c.mail_id = m.id where c.address = ? order by c.created_at desc`;
  // Not `expect.poll`: accounts are set up before any test, and outside of tests.
  for (const started = performance.now(); performance.now() - started < 10_000; await pause(30)) {
    if ((await database.prepare(sql).bind(address).first("state")) === "sent") return;
  }
  throw new Error(`The code for ${address} stays in the outbox`);
}

/** The link in the newest email to an address that leads to `path`. */
export async function mailedLink(site: Site, address: string, path: string, nth = 1): Promise<string> {
  const [mail] = await site.mailsTo(address, nth);
  const link = mail?.text.match(/https?:\/\/\S+/g)?.find((url) => new URL(url).pathname === path);
  if (!link) throw new Error(`No link to ${path} in: ${mail?.text}`);
  return link;
}

/** What `goto` does, and then waits until the page's scripts run. */
export async function open(browsing: Browsing, url: string): Promise<Page> {
  await browsing.page.goto(url);
  await browsing.alive();
  return browsing.page;
}

export async function fillSignUp(page: Page, address: string): Promise<void> {
  await page.getByLabel("E-mail").fill(address);
  await page.getByRole("checkbox", { name: /terms/i }).check();
}

/** From the landing page to the confirmation of the cheapest plan, by links and forms. */
export async function signUpForSmall(browsing: Browsing, site: Site, address: string): Promise<Page> {
  const page = await open(browsing, site.origin);
  await page
    .getByRole("main")
    .getByRole("link", { name: pattern`^Start .*${small.name}` })
    .first()
    .click();
  await page.waitForURL(`**/signup?plan=${small.id}**`);
  await fillSignUp(page, address);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.waitForURL("**/verify**");
  await page.getByLabel("Code").fill(await mailedCode(site, address));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.waitForURL(`**/settings/upgrade?plan=${small.id}&interval=month`);
  return page;
}

/** On to the hosted page, another origin. */
export async function goToCheckout(page: Page): Promise<void> {
  await page.getByRole("button", { name: pattern`^Start ${small.name} for` }).click();
  await page.waitForURL("**/checkout/**");
}

/** What the cheapest plan costs, as the hosted page writes amounts: in English, whatever the site does. */
export async function payByCard(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expires").fill("12 / 34");
  await page.getByLabel("CVC").fill("123");
  await page.getByRole("button", { name: `Pay ${amount(minor(small), "en-IE")}`, exact: true }).click();
}

/** An account, and nothing else. */
export async function signUp(browsing: Browsing, site: Site, address: string, query = ""): Promise<Page> {
  const page = await open(browsing, `${site.origin}/signup${query}`);
  await fillSignUp(page, address);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.waitForURL("**/verify**");
  await page.getByLabel("Code").fill(await mailedCode(site, address));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.waitForURL("**/settings**");
  return page;
}

/** A browser profile for each account, closed with the test. */
export async function withBrowser<Result>(
  chromium: Chromium,
  options: PageOptions,
  walk: (browsing: Browsing) => Promise<Result>,
): Promise<Result> {
  const browsing = await chromium.newPage(options);
  try {
    return await walk(browsing);
  } finally {
    await browsing.context.close();
  }
}
