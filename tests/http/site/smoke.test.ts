import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { formatMoney, formatPrice } from "#app/core/money/money.ts";
import { localeWithin } from "#app/core/text/formats.ts";
import { featuresOf } from "#app/modules/catalogue/features.rules.ts";
import { allOnSale, offersOf } from "#app/modules/catalogue/offers.rules.ts";
import { type Interval, intervals } from "#app/core/time/interval.ts";
import { intervalsOf, isSold, type Plan, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { hasDevices } from "#app/features/devices/plans.rules.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { gatePages } from "#app/features.ts";
import { featureSamples } from "#tests/support/features.ts";
import { readGate } from "#app/modules/catalogue/gate.rules.ts";
import { product } from "#app/product/config.ts";
import { legalMessages } from "#app/product/legal/messages.ts";
import { usageMessages } from "#app/http/page/usage.messages.ts";
import { endingMessages } from "#app/routes/settings/plan/messages.ts";
import { withdrawMessages } from "#app/routes/withdraw/messages.ts";
import {
  activateDevice,
  askForCode,
  licenceKeyOf,
  signUp,
  subscriber,
  typeCode,
} from "#tests/support/clients/customers.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { previewPages } from "../../../scripts/mail-preview/pages.ts";
import { invoicesOf, ordersOf } from "#tests/http/plans/subscribers.ts";

/**
 * What has to work with any valid config, without assumptions about it: no test here knows a plan, a price, a
 * currency or a locale. `npm test` runs it with the tests' product, `npm run check:configs` with the team's own and with
 * every pair of settings.
 */
const config: ProductConfig = product;
const withDevices = hasDevices(config);
const paths = { plan: segmentPath(config, "plan"), devices: segmentPath(config, "account") };
const purchases = config.plans
  .filter(isSold)
  .flatMap((plan) =>
    intervalsOf(plan).map((interval): [string, Plan, Interval] => [`${plan.id}, ${interval}`, plan, interval]),
  );

const site = useSite({ vars: { LAUNCH_GATE: config.gate ?? "none" } });
const [passGate] = featureSamples.flatMap((feature) => feature.passGate ?? []);

/** What a page shows when a value is missing. */
const broken = /undefined|NaN|\[object|Invalid Date|null/;
const written = (amountMinor: number, locale = config.locale) =>
  spaced(formatMoney({ amountMinor, currency: config.currency }, locale));
/** As `Visitor.text` has it. */
const spaced = (text: string) => text.replace(/\s+/g, " ");

async function read(visitor: Visitor, path: string): Promise<string> {
  await visitor.open(path);
  expect([path, visitor.status]).toEqual([path, 200]);
  expect(visitor.text()).not.toMatch(broken);
  return visitor.text();
}

describe("for visitors, behind the gate of the config,", () => {
  test.each(intervals)("the landing page offers the plans sold by the %s, each with its price", async (interval) => {
    const text = await read(site.visitor(), `/?interval=${interval}`);
    for (const offer of offersOf(config, readGate(config, config.gate), interval, allOnSale)) {
      expect(text).toContain(spaced(offer.name));
      const price = offer.price ?? { amountMinor: 0, currency: config.currency };
      expect(text).toContain(spaced(formatPrice(price, config.locale)));
    }
  });

  test("every page of the sitemap exists, and so do the pages to withdraw and to cancel, linked, where the config has them", async () => {
    const sitemap = await (await site.fetch("/sitemap.xml")).text();
    const listed = [...sitemap.matchAll(/<loc>([^<]+)/g)].map(([, url = ""]) => new URL(url).pathname);
    for (const path of listed) await read(site.visitor(), path);
    expect(listed).toEqual(expect.arrayContaining(Object.keys(legalMessages.en).map((page) => `/legal/${page}`)));
    const features = featuresOf(config, readGate(config, config.gate));
    if (features.gate) expect(listed).toContain(gatePages().path);
    const landing = await (await site.fetch("/")).text();
    for (const [path, isOn] of [
      ["/withdraw", features.withdrawal],
      ["/cancel", features.cancellation],
    ] as const) {
      expect((await site.fetch(path)).status).toBe(isOn ? 200 : 404);
      expect(landing.includes(`href="${path}"`)).toBe(isOn);
    }
  });

  const mayPass = passGate && !gatePages().isFull(config) ? passGate : null;

  if (mayPass && config.gate === "signup")
    test("an entry that waits for an account is invited, and can sign up", async () => {
      const address = "waits@example.com";
      const visitor = await mayPass(site, site.visitor(), address, 0);
      await askForCode(visitor, address);
      await typeCode(visitor, await site.codeTo(address, 3));
      expect(visitor.path()).toMatch(/^\/settings(\/upgrade)?$/);
      expect(visitor.text()).not.toMatch(broken);
    });

  if (mayPass && config.gate?.startsWith("plan:"))
    test("an entry that waits for a plan is invited, and offered it by one of its intervals", async () => {
      const address = "waits@example.com";
      const visitor = await mayPass(site, await signUp(site, address, ""), address, 1);
      const guarded = config.plans.find(({ id }) => config.gate === `plan:${id}`);
      const interval = guarded && intervalsOf(guarded)[0];
      expect(visitor.path()).toBe(`/settings/upgrade?plan=${guarded?.id}&interval=${interval}`);
      expect(visitor.text()).toContain(written((interval && guarded.prices?.[interval]?.amountMinor) ?? 0));
    });

  test("every email is complete", () => {
    for (const [name, page] of previewPages()) expect([name, broken.exec(page)?.[0]]).toEqual([name, undefined]);
  });

  test("the API describes itself, with this product's limits and meters", async () => {
    const answer = await site.fetch("/api/v1/openapi.json");
    expect(answer.status).toBe(200);
    const text = await answer.text();
    for (const { key } of config.meters) expect(text).toContain(`"${key}"`);
    expect((await site.fetch("/healthz")).status).toBe(200);
  });
});

describe("for customers, with the gate open,", () => {
  beforeAll(() => site.setGate("none"));

  test.each(purchases)(
    "%s is bought at its price, with receipt and entitlement, and cancelled",
    async (_name, plan, interval) => {
      const address = `${plan.id}-${interval}@example.com`.toLowerCase();
      const total = plan.prices?.[interval]?.amountMinor ?? 0;
      const visitor = await subscriber(site, address, { plan: plan.id, interval });
      expect(visitor.path()).toMatch(/^\/payment\/success\?order=/);
      expect(visitor.text()).toContain(written(total));

      const [order] = await ordersOf(site, address);
      expect(order).toMatchObject({ kind: "new-plan", state: "paid", planId: plan.id, interval, amountMinor: total });
      const [invoice] = await invoicesOf(site, address);
      expect(invoice).toMatchObject({ total, amount_paid: total, currency: config.currency.toLowerCase() });

      expect(await read(visitor, paths.plan)).toContain(written(total));
      expect(await read(visitor, "/settings/orders")).toContain(written(total));
      expect(await read(visitor, `/settings/orders/${order?.id}`)).toContain(written(total));
      // In the language of its text, since it is passed on to others.
      const onReceipt = written(total, localeWithin("en", config.locale));
      expect(await read(visitor, `/settings/orders/receipt?order=${order?.id}`)).toContain(onReceipt);
      for (const path of ["/settings", "/settings/upgrade", "/settings/referral", segmentPath(config, "settings")]) {
        await read(visitor, path);
      }
      for (const email of await site.emailsTo(address, 2)) {
        expect(`${email.subject} ${email.text}`).not.toMatch(broken);
      }
      const receipt = (await site.emailsTo(address, 2)).find(({ text }) => spaced(text).includes(onReceipt));
      expect(receipt).toBeDefined();

      if (withDevices) {
        expect(await entitlementOf(visitor, address)).toMatchObject({ plan: plan.id, state: "active" });
      } else await expectNoDevices(visitor);

      await visitor.open(paths.plan);
      await visitor.press(endingMessages.en.cancel.button);
      expect([visitor.path(), visitor.status]).toEqual([paths.plan, 200]);
      expect(visitor.text()).not.toMatch(broken);
      expect(visitor.html).not.toContain(endingMessages.en.cancel.button);
    },
  );

  if (config.withdrawalDays !== "off" && purchases.length > 0)
    test("a withdrawal is acknowledged, and its refund ends the plan", async () => {
      const [, plan, interval] = purchases[0] ?? [];
      const address = "withdraws@example.com";
      const visitor = await subscriber(site, address, {
        ...(plan && { plan: plan.id }),
        ...(interval && { interval }),
      });
      const [order] = await ordersOf(site, address);
      await visitor.open(`/withdraw?order=${order?.id}`);
      await visitor.press(withdrawMessages.en.form.submit, { name: "Mara Example" });
      await visitor.press(withdrawMessages.en.review.submit);
      expect(visitor.heading()).toBe(withdrawMessages.en.declared.title);
      await site.stripe?.control("refund", { order: order?.id });
      await expect.poll(async () => (await ordersOf(site, address))[0]?.state).toBe("refunded");
      expect(await read(visitor, `/settings/orders/${order?.id}`)).toContain(written(order?.amountMinor ?? 0));
      expect(await read(visitor, paths.plan)).not.toContain(endingMessages.en.cancel.button);
    });

  test("no error was reported", () => {
    expect(site.logs().filter((line) => /\bbug\b/.test(JSON.stringify(line)))).toEqual([]);
  });
});

/** No page leads to devices, their own page isn't there, and the API has no call of theirs. */
async function expectNoDevices(visitor: Visitor) {
  for (const path of ["/settings", paths.plan]) {
    await visitor.open(path);
    expect(visitor.html).not.toContain(paths.devices);
    expect(visitor.html).not.toContain(usageMessages.en.title);
  }
  expect((await visitor.open(paths.devices)).status).toBe(404);
  expect((await site.fetch("/api/v1/entitlement")).status).toBe(404);
}

/** What a device gets that its owner activated. */
async function entitlementOf(visitor: Visitor, name: string) {
  const { deviceToken } = await activateDevice(site, await licenceKeyOf(visitor), name);
  const answer = await site.fetch("/api/v1/entitlement", { headers: { Authorization: `Bearer ${deviceToken}` } });
  return decodeJwt(((await answer.json()) as { token: string }).token);
}
