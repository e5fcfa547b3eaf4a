import { emailTexts } from "#app/emails.ts";
import { emailTextOf, productFactsOf } from "#app/modules/email/write-text.rules.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { devicesFeatureMessages } from "#app/features/devices/feature.messages.ts";
import { devicesMessages } from "#app/features/devices/page/messages.ts";
import { gatePages } from "#app/features.ts";
import { landingMessages } from "#app/product/landing/messages.ts";
import { legalMessages } from "#app/product/legal/messages.ts";
import { planMessages, endingMessages } from "#app/routes/settings/plan/messages.ts";
import { upgradeMessages, offerRefusalMessages } from "#app/routes/settings/upgrade/messages.ts";
import { overviewPlanMessages } from "#app/routes/settings/overview/plan.messages.ts";
import { settingsMessages } from "#app/routes/settings/messages.ts";
import { activateDevice, licenceKeyOf, openCheckout, send, signUp } from "#tests/support/clients/customers.ts";
import { checkoutFields } from "#tests/support/billing/checkout-fields.ts";
import { free, large, minor, pages, small } from "#tests/support/billing/catalogue.ts";
import { formatPrice } from "#app/core/money/money.ts";
import { ordersOfCustomer } from "#tests/support/billing/customer-orders.ts";
import { startSite } from "#tests/support/site/site.ts";
import { legalFactsWith } from "#tests/support/products/legal-facts.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

const site = useSite({ freePlan: "none" });

async function claims(token: string) {
  const answer = await site.fetch("/api/v1/entitlement", { headers: { Authorization: `Bearer ${token}` } });
  return decodeJwt(((await answer.json()) as { token: string }).token);
}

/** The label of the page of plans in the menu of the settings. */
const menuLabel = async (visitor: Visitor) => {
  const { html } = await visitor.open("/settings/orders");
  return /<nav.*?href="\/settings\/upgrade"[^>]*>([^<]*)</s.exec(html)?.[1];
};

/** The one action of the landing page's first screen, with its note. */
const firstAction = ({ html }: Visitor) => /class="opening-action">(.*?)<\/div>/s.exec(html)?.[1] ?? "";

const { en: messages } = planMessages;

test("a product without a free plan works from sign-up to a purchase, its end, and an entitlement that reports it", async () => {
  const address = "paying@example.com";
  // Signed up without a plan: the next page is for choosing one.
  const visitor = await signUp(site, address, "");
  expect([visitor.path(), visitor.heading()]).toEqual(["/settings/upgrade", upgradeMessages.en.titleNoPlan]);
  expect(visitor.text()).not.toContain(free.tagline);

  // Nothing to use so far, on every page, and nothing to activate a device with.
  await visitor.open("/settings");
  expect(visitor.text()).toContain(overviewPlanMessages.en.noneText(product.name));
  expect(await menuLabel(visitor)).toBe(settingsMessages.en.choose);
  await visitor.open(pages.plan);
  expect(visitor.text()).toContain(messages.noPlan.text(product.name));
  const key = await licenceKeyOf(visitor);
  expect(visitor.text()).toContain(devicesMessages.en.noPlan.text(product.name));
  const refused = await activateDevice(site, key, "first");
  expect(refused).toMatchObject({ status: 402, code: "plan-required", url: `${site.origin}/settings/upgrade` });

  await visitor.open(`/settings/upgrade?plan=${small.id}&interval=month`);
  await openCheckout(visitor);
  await visitor.open(await send(visitor.url, checkoutFields("4242424242424242")));
  const { deviceToken } = await activateDevice(site, key, "first");
  expect(await claims(deviceToken)).toMatchObject({ plan: small.id, state: "active", access: "full" });

  // What ending it means is said before, and by email.
  await visitor.open(pages.plan);
  expect(visitor.text()).toMatch(
    fillGaps(endingMessages.en.cancel.text(gap, null, { product: product.name, free: null })),
  );
  await visitor.press(endingMessages.en.cancel.button);
  const facts = {
    what: gap,
    cancelled: gap,
    until: gap,
    refundsRest: false,
    meanwhile: "active" as const,
    isWithdrawn: false,
    lastDayOfData: null,
    url: "",
  };
  const [, , lost = "no sentence"] = emailTextOf(
    emailTexts,
    { template: "plan-cancelled", ...facts },
    { ...productFactsOf(product), free: null },
  ).before;
  const cancelled = async () => (await site.emailsTo(address, 3)).some(({ text }) => text.includes(lost));
  await expect.poll(cancelled).toBe(true);

  const [order] = await ordersOfCustomer(site, address);
  await site.stripe?.control("refund", { order: order?.id });
  expect(await claims(deviceToken)).toMatchObject({
    plan: null,
    state: "ended",
    access: "none",
    seats: { used: 1, of: 0 },
  });
  expect((await activateDevice(site, key, "second")).code).toBe("plan-required");
  expect(await menuLabel(visitor)).toBe(settingsMessages.en.choose);
  await visitor.open("/settings");
  expect(visitor.text()).toContain(overviewPlanMessages.en.none);
  expect(visitor.text()).toContain(devicesFeatureMessages.en.counted.idle(1, product.name));
  await visitor.open(pages.account);
  expect(visitor.text()).toContain(devicesMessages.en.noPlan.idle(1, product.name));
  await visitor.open(pages.plan);
  expect(visitor.text()).toContain(messages.noPlan.textAfter(product.name));

  // The same device works again with the next plan.
  await visitor.open(`/settings/upgrade?plan=${small.id}&interval=year`);
  await openCheckout(visitor);
  await visitor.open(await send(visitor.url, checkoutFields("4242424242424242")));
  expect(await claims(deviceToken)).toMatchObject({ plan: small.id, state: "active", access: "full" });
  expect(await menuLabel(visitor)).toBe(settingsMessages.en.upgrade);
});

test("public pages offer only paid plans, without a free column, and the first action leads to buying", async () => {
  const visitor = await site.visitor().open("/");
  const { en: landing } = landingMessages;
  const smallPrice = formatPrice({ amountMinor: minor(small), currency: product.currency }, product.locale);
  for (const word of [free.name, landing.plans.forever, landing.plans.chooseFree(free.name)])
    expect(visitor.html).not.toContain(`>${word}<`);
  expect(firstAction(visitor)).toContain(`href="/signup?plan=${small.id}&amp;interval=month"`);
  expect(visitor.text()).toContain(landing.plans.choose(small.name, smallPrice, landing.plans.perMonth));
  const [, structured = ""] = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(visitor.html) ?? [];
  expect(structured).toContain(small.name);
  expect(structured).not.toContain('"0.00"');
  await visitor.open("/legal/terms");
  const [{ text } = { text: [] }] = legalMessages.en.terms.sections(legalFactsWith({ hasFreePlan: false }));
  for (const line of text.flat()) expect(visitor.text()).toContain(line);
});

test("a signed-in user without a plan is led to the plans, also by a link that names the free one", async () => {
  const visitor = await signUp(site, "none@example.com", `?plan=${free.id}`);
  expect(visitor.path()).toBe("/settings/upgrade");
  await visitor.open("/");
  expect(visitor.text()).toContain(landingMessages.en.toAccount);
  expect(visitor.html).not.toContain(`>${landingMessages.en.plans.yours}<`);
  expect(visitor.html).toContain(`/settings/upgrade?plan=${small.id}&amp;interval=month`);
  await visitor.open(`/settings/upgrade?plan=${free.id}&interval=month`);
  expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["plan-unknown"]);
});

test("while its plans can't be bought, the first action leads to where one waits, or says so", async () => {
  const closed = await startSite({ freePlan: "none", stripe: false, vars: { LAUNCH_GATE: `plan:${small.id}` } });
  const visitor = await closed.visitor().open("/");
  expect(firstAction(visitor)).toContain(gatePages().messages.en.landing.plan.join(small.name));
  expect(firstAction(visitor)).toContain(`href="${gatePages().path}"`);
  await closed.setGate("none");
  await visitor.open("/");
  expect(firstAction(visitor)).toContain(landingMessages.en.plans.notOnSale);
  expect(firstAction(visitor)).not.toContain("href=");
  await closed.close();
});

test("a gate for the large plan leaves the small one available", async () => {
  const visitor = await site.visitor().open("/");
  expect(firstAction(visitor)).toContain(landingMessages.en.start(small.name));
  expect(visitor.text()).toContain(gatePages().messages.en.landing.plan.join(large.name));
});
