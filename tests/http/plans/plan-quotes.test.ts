import { upgradeMessages, offerRefusalMessages, changeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { planMessages } from "#app/routes/settings/plan/messages.ts";
import { paymentMessages } from "#app/routes/payment/messages.ts";
import { beginningOf, fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { subscriber } from "#tests/support/clients/customers.ts";
import { amount, large, minor, small } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import {
  advance,
  atOnce,
  choose,
  confirmation,
  customerOf,
  invoicesOf,
  ordersOf,
  planPath,
  quoted,
  subscriptionOf,
} from "./subscribers.ts";

const site = useSite({ vars: { LAUNCH_GATE: "none" } });

/** As if a minute had passed: an account has ten money actions in each. */
async function forgetActions() {
  await (await site.database()).exec("delete from quota_uses");
}

async function giveCredit(address: string, amountMinor: number) {
  const customer = await customerOf(site, address);
  await site.stripe?.sdk.customers.createBalanceTransaction(customer, {
    amount: -amountMinor,
    currency: product.currency.toLowerCase(),
  });
}

describe("there is one charge for concurrent requests:", () => {
  test("forty confirmations of one upgrade are one order and one charge, and all lead to it", async () => {
    const address = "forty@example.com";
    const visitor = await subscriber(site, address);
    await choose(visitor, large.id);
    const answers = await atOnce(
      site,
      visitor,
      Array.from({ length: 40 }, () => confirmation(visitor)),
    );
    // Ten a minute reach Stripe, and while it still answers the first, it refuses the others: they say how to continue.
    expect(answers.map(({ status }) => status).filter((status) => ![303, 429, 503].includes(status))).toEqual([]);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(30);
    for (const answer of answers.filter(({ status }) => status === 503)) {
      expect(await answer.text()).toContain(upgradeMessages.en.wayOn.again);
    }
    await forgetActions();
    const [last] = await atOnce(site, visitor, [confirmation(visitor)]);
    const orders = await ordersOf(site, address);
    expect(orders).toMatchObject([{ kind: "new-plan" }, { kind: "change", state: "paid" }]);
    const locations = [...answers, last].flatMap((answer) => answer?.headers.get("Location") ?? []);
    // What was charged, or the page that refreshes until that is known.
    const ways = ["success", "processing"].map((status) => `/payment/${status}?order=${orders[1]?.id}`);
    expect([...new Set(locations)].filter((location) => !ways.includes(location))).toEqual([]);
    expect(locations.at(-1)).toBe(ways[0]);
    expect(await invoicesOf(site, address)).toHaveLength(2);
  });

  test("two tabs with different changes end in at most one of them, paid once, whichever is faster", async () => {
    const address = "tabs@example.com";
    const visitor = await subscriber(site, address);
    const tabs: Record<string, string>[] = [];
    for (const [plan, interval] of [
      [large.id, "month"],
      [small.id, "year"],
    ] as const) {
      await choose(visitor, plan, interval);
      tabs.push(confirmation(visitor));
    }
    const answers = await atOnce(
      site,
      visitor,
      Array.from({ length: 8 }, (_, index) => tabs[index % 2] ?? {}),
    );
    for (const answer of answers) expect([303, 409, 503]).toContain(answer.status);
    const paid = (await invoicesOf(site, address)).filter(({ billing_reason: why }) => why === "subscription_update");
    expect(paid.filter(({ status }) => status === "paid").length).toBeLessThanOrEqual(1);
    expect(paid.filter(({ status }) => status === "open")).toEqual([]);
    await visitor.open(planPath);
    const { priceKey } = await subscriptionOf(site, address);
    expect(visitor.text()).toContain(
      priceKey === `${large.id}_month` ? planMessages.en.lead(large.name) : planMessages.en.lead(small.name),
    );
  });
});

describe("a quote", () => {
  test("that is outdated, old or forged is replaced with 409 by the current offer, and nothing is charged", async () => {
    const address = "moved@example.com";
    const visitor = await subscriber(site, address);
    await choose(visitor, large.id);
    const fields = confirmation(visitor);
    const [amount, currency, quotedAt, prorationAt, hash] = (fields.quote ?? "").split(".");
    const [latest] = await invoicesOf(site, address);
    // Calculated for a period's last minute the larger plan would cost next to nothing.
    const lastMinute = ((latest?.lines.data[0]?.period.end ?? 0) - 60) * 1000;
    const changed = [
      `1.${currency}.${quotedAt}.${prorationAt}.${hash}`,
      `${amount}.${currency}.${Number(quotedAt) - 600_001}.${prorationAt}.${hash}`,
      ...[0, 1, 2].map((cents) => `${cents}.${currency}.${quotedAt}.${lastMinute}.${hash}`),
      `0.${currency}.${quotedAt}.${lastMinute}`,
    ];
    for (const quote of [...changed, `${amount}.${currency}.${quotedAt}`, "nonsense", ""]) {
      await forgetActions();
      for (const path of [visitor.url, "/settings/upgrade"]) {
        await visitor.post({ ...fields, quote }, path);
        expect([quote, visitor.status]).toEqual([quote, 409]);
        expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["quote-moved"]);
        expect(confirmation(visitor)).toMatchObject({ plan: large.id, interval: "month" });
        expect(quoted(visitor).amountMinor).toBeGreaterThan(0);
      }
    }
    expect(await invoicesOf(site, address)).toHaveLength(1);
    expect(await ordersOf(site, address)).toHaveLength(1);
    await visitor.post(fields, "/settings/upgrade");
    expect(visitor.heading()).toBe(paymentMessages.en.pages.change.success.title);
  });

  test("is outdated once credit has arrived", async () => {
    const address = "meanwhile@example.com";
    const visitor = await subscriber(site, address);
    await choose(visitor, large.id);
    await giveCredit(address, 100);
    await visitor.press(changeMessages.en.submitNow(large.name, amount(minor(large) - minor(small))));
    expect(visitor.status).toBe(409);
    await visitor.press(changeMessages.en.submitNow(large.name, amount(minor(large) - minor(small) - 100)));
    expect(visitor.heading()).toBe(paymentMessages.en.pages.change.success.title);
  });

  test("equals the charge, for any change at any time", async () => {
    const people = new Map<string, Visitor>();
    const inputs = [small, large].flatMap(({ id }) => [`${id} month`, `${id} year`]);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 27 }),
        fc.array(fc.constantFrom(...inputs), { minLength: 1, maxLength: 2 }),
        async (days, path) => {
          const address = `any-${people.size}@example.com`;
          const visitor = await subscriber(site, address);
          people.set(address, visitor);
          await advance(site, days);
          for (const input of path) {
            const [plan = "", interval] = input.split(" ");
            await choose(visitor, plan, interval);
            const { name = "" } = [small, large].find(({ id }) => id === plan) ?? {};
            if (!fillGaps(changeMessages.en.submitNow(name, gap)).test(visitor.text())) continue;
            const before = (await invoicesOf(site, address)).length;
            const { amountMinor } = quoted(visitor);
            await visitor.press(beginningOf(changeMessages.en.submitNow(name, gap)));
            const [invoice, ...others] = await invoicesOf(site, address);
            expect(others).toHaveLength(before);
            expect({ input, days, charged: invoice?.amount_due }).toEqual({ input, days, charged: amountMinor });
            expect((await ordersOf(site, address)).at(-1)).toMatchObject({ state: "paid", amountMinor });
          }
          await site.stripe?.sdk.subscriptions.cancel((await subscriptionOf(site, address)).id);
        },
      ),
      { numRuns: 6 },
    );
  }, 180_000);
});
