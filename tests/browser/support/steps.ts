import { setTimeout as pause } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";
import type { Purpose } from "#app/modules/accounts/codes/rules.ts";
import { product } from "#app/product/config.ts";
import { landingMessages } from "#app/product/landing/messages.ts";
import { upgradeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { signupMessages, signUpFieldsMessages } from "#app/routes/signup/messages.ts";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import { minor, small } from "#tests/support/billing/catalogue.ts";
import type { Chromium, PageOptions } from "#tests/support/clients/chromium.ts";
import type { Site } from "#tests/support/site/site.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { BACK, CARD_LABELS, payLabel } from "stripe-emulator/facts";

export type Browsing = Awaited<ReturnType<Chromium["newPage"]>>;

/** The email of the newest code for an address was sent, and the outbox has stored that. */
export async function codeHasLeft(site: Site, address: string): Promise<void> {
  const database = await site.database();
  const sql = `select m.state from emails m join codes c on c.email_id = m.id where c.address = ? order by c.created_at desc`;
  // Not `expect.poll`: accounts are set up before any test, and outside of tests.
  for (const started = performance.now(); performance.now() - started < 10_000; await pause(30)) {
    if ((await database.prepare(sql).bind(address).first("state")) === "sent") return;
  }
  throw new Error(`The code for ${address} stays in the outbox`);
}

/** The link in the newest email to an address that leads to `path`. */
export async function emailedLink(site: Site, address: string, path: string, nth = 1): Promise<string> {
  const [email] = await site.emailsTo(address, nth);
  const link = email?.text.match(/https?:\/\/\S+/g)?.find((url) => new URL(url).pathname === path);
  if (!link) throw new Error(`No link to ${path} in: ${email?.text}`);
  return link;
}

/** What `goto` does, and then waits until the page's scripts run. */
export async function open(browsing: Browsing, url: string): Promise<Page> {
  await browsing.page.goto(url);
  await browsing.alive();
  return browsing.page;
}

/** Named by the whole sentence that it agrees to. */
export function termsBox(page: Page): Locator {
  const { before, link, middle, privacy, after } = signUpFieldsMessages.en.terms;
  return page.getByRole("checkbox", { name: before + link + middle + privacy + after });
}

export async function fillSignUp(page: Page, address: string): Promise<void> {
  await page.getByLabel(signupMessages.en.email).fill(address);
  await termsBox(page).check();
}

/** From the sign-up page to the page where the code is entered. */
export async function askForCode(browsing: Browsing, site: Site, address: string, query = ""): Promise<Page> {
  const page = await open(browsing, `${site.origin}/signup${query}`);
  await fillSignUp(page, address);
  await page.getByRole("button", { name: signupMessages.en.submit }).click();
  await page.waitForURL("**/verify**");
  return page;
}

export function codeField(page: Page): Locator {
  return page.getByLabel(verifyMessages.en.code);
}

/** With a script the last digit submits the form, the same digits once; otherwise the button does. */
export async function enterCode(page: Page, code: string, purpose: Purpose = "sign-up"): Promise<void> {
  if (await fillCode(page, code)) return;
  await page.getByRole("button", { name: verifyMessages.en.submit[purpose], exact: true }).click();
}

/** Types a code, and says whether the form submitted itself: it does so while it handles the input, or not at all. */
export async function fillCode(page: Page, code: string): Promise<boolean> {
  await codeField(page).evaluate((field: HTMLInputElement) => {
    field.removeAttribute("data-submitted");
    field.form?.addEventListener("submit", () => field.setAttribute("data-submitted", ""), { once: true });
  });
  const field = await codeField(page).elementHandle();
  await field?.fill(code);
  return (await field?.evaluate((input) => input.hasAttribute("data-submitted")).catch(() => true)) === true;
}

/** The wrong code is reported at its field, which has the focus, and nowhere else. */
export async function isRefusedAtField(page: Page, message: string): Promise<void> {
  await page.locator("#code-error", { hasText: message }).waitFor();
  await page.locator("#code:focus").waitFor();
}

/** Enters the code that the site asks a signed-in user for, and returns to the page that needed it. */
export async function reauthenticate(browsing: Browsing, site: Site, address: string, nth: number): Promise<void> {
  const { page, alive } = browsing;
  await page.getByRole("heading", { name: verifyMessages.en.title["reauthentication"] }).waitFor();
  await enterCode(page, await site.codeTo(address, nth), "reauthentication");
  await page.waitForURL((url) => url.pathname !== "/verify");
  await alive();
}

/** From the landing page to the confirmation of the cheapest plan, by links and forms. */
export async function signUpForSmall(browsing: Browsing, site: Site, address: string): Promise<Page> {
  const page = await open(browsing, site.origin);
  await startLink(page).click();
  await page.waitForURL(`**/signup?plan=${small.id}**`);
  await fillSignUp(page, address);
  await page.getByRole("button", { name: signupMessages.en.submit }).click();
  await page.waitForURL("**/verify**");
  await enterCode(page, await site.codeTo(address));
  await page.waitForURL(`**/settings/upgrade?plan=${small.id}&interval=month`);
  return page;
}

/** The first link of the landing page that leads to the cheapest plan. */
export function startLink(page: Page): Locator {
  return page
    .getByRole("main")
    .getByRole("link", { name: landingMessages.en.start(small.name) })
    .first();
}

/** On the confirmation of the cheapest plan, at any price. */
export function startButton(page: Page): Locator {
  return page.getByRole("button", { name: fillGaps(upgradeMessages.en.confirm.submit(small.name, gap, gap)) });
}

/** On to the hosted page, another origin. */
export async function goToCheckout(page: Page): Promise<void> {
  await startButton(page).click();
  await page.waitForURL("**/checkout/**");
}

/** Pays for the cheapest plan on the hosted page, whose texts are the Stripe emulator's. */
export async function payByCard(page: Page, number: string): Promise<void> {
  await page.getByLabel(CARD_LABELS.number).fill(number);
  await page.getByLabel(CARD_LABELS.expiry).fill("12 / 34");
  await page.getByLabel(CARD_LABELS.cvc).fill("123");
  await page.getByRole("button", { name: payLabel(minor(small), product.currency.toLowerCase()), exact: true }).click();
}

/** Back from the hosted page. */
export async function leaveCheckout(page: Page): Promise<void> {
  await page.getByRole("link", { name: BACK }).click();
}

/** An account, and nothing else. */
export async function signUp(browsing: Browsing, site: Site, address: string, query = ""): Promise<Page> {
  const page = await askForCode(browsing, site, address, query);
  await enterCode(page, await site.codeTo(address));
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
