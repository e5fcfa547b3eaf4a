import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/database.server.ts";
import { minimumCharge } from "#app/core/money/currencies.ts";
import { amountStep } from "#app/core/money/round-amount.ts";
import { dayMs, hourMs, secondMs } from "#app/core/time/time.ts";
import { listOrderLines } from "#app/modules/billing/history/browse.queries.server.ts";
import { offerChange } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import { writeQuote } from "#app/modules/billing/checkout/quote.rules.ts";
import { stepsToCharge } from "#app/modules/billing/orders/amount-breakdown.rules.ts";
import { showPlan } from "#app/modules/billing/changes/reads/show-plan.server.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { priceAfterCredit, startCheckout } from "#app/modules/billing/checkout/commands/start-checkout.server.ts";
import { readOrder } from "#app/modules/billing/orders/queries.server.ts";
import { nextCharge } from "#app/modules/billing/subscriptions/rules.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { findPlan, priceMinorOf, priceOf } from "#app/modules/catalogue/rules.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { product } from "#app/product/config.ts";
import { large, small } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

/**
 * What is quoted is what is charged, to the last minor unit, and each charge is the sum of its parts: random
 * sequences of actions against the Stripe emulator, which prorates by the second, keeps a balance and charges nothing
 * below its minimum.
 */
type Sold = { planId: string; interval: Interval };
type Step = { do: "pass"; seconds: number } | { do: "balance"; percent: number } | ({ do: "change" } & Sold);

const sold = fc.record({
  planId: fc.constantFrom(small.id, large.id),
  interval: fc.constantFrom("month" as const, "year" as const),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("pass" as const), seconds: fc.integer({ min: 1, max: 45 * 86_400 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("balance" as const), percent: fc.integer({ min: -30, max: 200 }) }),
  },
  { weight: 3, arbitrary: sold.map((input) => ({ do: "change" as const, ...input })) },
);
/**
 * What a month costs in units of the least charge, so that small prices meet the minimum and large ones are prorated
 * finely.
 */
const story = fc.record({
  monthPercent: fc.integer({ min: 110, max: 6000 }),
  factorPercent: fc.integer({ min: 105, max: 400 }),
  creditPercent: fc.integer({ min: -30, max: 120 }),
  first: sold,
  steps: fc.array(step, { minLength: 4, maxLength: 8 }),
});
type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;

/** Whole units that the currency can be charged in. */
function units(amount: number, currency: string): number {
  const step = amountStep(currency);
  return Math.round(amount / step) * step;
}

function configOf({ monthPercent, factorPercent }: Story, currency: string) {
  const month = monthPercent / 100;
  const of = (amount: number) => ({ amountMinor: units(amount * minimumCharge(currency), currency) });
  const pricesOf = (base: number) => ({ month: of(base), year: of(base * 10) });
  const plans = product.plans.map((plan) =>
    plan.prices === null
      ? plan
      : { ...plan, prices: pricesOf(plan.id === large.id ? (month * factorPercent) / 100 : month) },
  );
  return { ...product, currency, plans };
}

async function giveBalance(harness: BillingHarness, amountMinor: number) {
  const currency = harness.app.product.currency.toLowerCase();
  if (amountMinor === 0) return;
  await harness.stripe.customers.createBalanceTransaction(await harness.customerId(), {
    amount: -amountMinor,
    currency,
  });
  await harness.reconcile();
}

const creditOf = async (harness: BillingHarness) => Number((await harness.rows()).customers[0]?.credit_minor ?? 0);
const newestInvoice = async (harness: BillingHarness) => (await harness.stripe.invoices.list({ limit: 1 })).data[0];

/** The first payment, including the balance. */
async function buy(harness: BillingHarness, { planId, interval }: Sold) {
  const { product: config } = harness.app;
  const plan = findPlan(config, planId);
  const price = plan && priceOf(config, plan, interval);
  if (!price) throw new Error("No plan");
  const choice = {
    creditMinor: await creditOf(harness),
  };
  const now = priceAfterCredit(price, choice);
  const quote = await writeQuote(harness.app.pepper, harness.accountId, {
    ...now,
    quotedAt: harness.app.clock(),
    prorationAt: null,
  });
  const begun = await startCheckout(harness.app, await harness.account(), { planId, interval, quote, ...choice });
  if (!begun.ok) throw new Error(begun.refusal.reason);
  await harness.leaveCheckout(begun.value.url, "paid");
  await harness.reconcile();
  return { quoted: now.amountMinor, charged: (await newestInvoice(harness))?.amount_paid };
}

/** Confirms what the page offers; returns what was charged, beside what was quoted. Null: nothing is charged now. */
async function change(harness: BillingHarness, input: Sold) {
  const { running, open } = await showPlan(harness.app, harness.accountId);
  if (!running) throw new Error("Nothing runs");
  const offer = await offerChange(
    harness.app,
    { accountId: harness.accountId, running, open, unconfirmed: null, creditMinor: await creditOf(harness) },
    input,
  );
  if (offer.kind === "refused" || offer.kind === "end") return null;
  const started = await startChange(harness.app, await harness.account(), { ...input, quote: offer.quote });
  if (!started.ok) throw new Error(started.refusal.reason);
  if (offer.kind !== "now") return null;
  const charged = (await newestInvoice(harness))?.amount_paid;
  const after = await showPlan(harness.app, harness.accountId);
  return {
    quoted: offer.charge.amountMinor,
    charged,
    next: offer.next.amountMinor,
    announced: announcedNext(harness, after),
  };
}

/** The next charge as the plan page shows it. */
function announcedNext(harness: BillingHarness, { running, creditMinor }: Awaited<ReturnType<typeof showPlan>>) {
  const next = running && nextCharge(running, priceMinorOf.bind(null, harness.app.product), creditMinor);
  return next && next.amountMinor;
}

/** Time passes; if a renewal comes, what the page announced for it, and what was charged. It stops there. */
async function pass(harness: BillingHarness, seconds: number) {
  const plan = await showPlan(harness.app, harness.accountId);
  const endsAt = plan.running?.periodEndsAt ?? 0;
  const inMs = endsAt + 2 * hourMs - harness.app.clock();
  const renews = inMs <= seconds * secondMs;
  const before = (await newestInvoice(harness))?.id;
  await harness.pass((renews ? Math.max(secondMs, inMs) : seconds * secondMs) / dayMs);
  await harness.reconcile();
  const invoice = await newestInvoice(harness);
  if (!renews || invoice?.id === before) return null;
  return { quoted: announcedNext(harness, plan), charged: invoice?.amount_paid };
}

/** Each order's lines and steps add up to its charge, and the steps match the provider's balance. */
async function expectSums(harness: BillingHarness) {
  const invoices = (await harness.record()).invoices;
  const rows = (await openDatabase(env.DB).select().from(orders))
    .map(readOrder)
    .filter(({ paidAt }) => paidAt !== null);
  expect(rows.length).toBe(invoices.filter(({ state }) => state === "paid").length);
  for (const order of rows) {
    const invoice = invoices.find(({ id }) => id === order.invoiceId);
    if (!invoice) throw new Error("No invoice");
    const sum = (parts: { amountMinor: number }[]) => parts.reduce((all, part) => all + part.amountMinor, 0);
    const { discountMinor, creditMinor, carriedMinor, amountMinor } = invoice;
    expect(sum(invoice.lines) - discountMinor - creditMinor + carriedMinor).toBe(amountMinor);
    const lines = await listOrderLines(harness.app.db, order.id, harness.accountId);
    const steps = stepsToCharge(order, lines);
    expect(sum([...lines, ...steps])).toBe(order.amountMinor);
    const moved = steps.filter(({ what }) => what !== "discount");
    expect(sum(moved)).toBe(carriedMinor - creditMinor);
    expect(sum(moved.filter(({ what }) => what === "credit"))).toBe(0 - Math.max(0, creditMinor));
    expect(sum(moved.filter(({ what }) => what === "carried-to"))).toBe(Math.min(0, carriedMinor));
  }
  const holder = await harness.stripe.customers.retrieve(await harness.customerId());
  expect(await creditOf(harness)).toBe(0 - ("balance" in holder ? holder.balance : 0));
}

/** Everything that was announced beside what was charged. */
async function play(played: Story, currency: string) {
  const harness = await openBillingHarness(configOf(played, currency));
  const month = priceMinorOf(harness.app.product, small.id, "month");
  // So that there is a customer with a balance before the first payment.
  const looked = await harness.choose(small.id, "month");
  if (looked.ok) await harness.leaveCheckout(looked.value.url, "expired");
  await harness.reconcile();
  await giveBalance(harness, units((played.creditPercent * month) / 100, currency));
  const announced: { quoted: number | null; charged: number | undefined; next?: number; announced?: number | null }[] =
    [];
  announced.push(await buy(harness, played.first));
  for (const next of played.steps) {
    if (next.do === "balance") await giveBalance(harness, units((next.percent * month) / 100, currency));
    const outcome =
      next.do === "pass"
        ? await pass(harness, next.seconds)
        : next.do === "change"
          ? await change(harness, next)
          : null;
    if (outcome) announced.push(outcome);
  }
  await expectSums(harness);
  expect(harness.reports).toEqual([]);
  return announced;
}

describe("for random plans, intervals, days, credit and debts,", () => {
  test.each(["EUR", "JPY", "KWD", "HUF"])(
    "the quote in %s equals the charge, and every charge is the sum of its parts",
    async (currency) => {
      await fc.assert(
        fc.asyncProperty(story, async (played) => {
          for (const { quoted, charged, next, announced } of await play(played, currency)) {
            expect(charged).toBe(quoted);
            // What the confirmation announces as the charge after this one is what the plan's page shows then.
            expect(announced).toBe(next);
          }
        }),
        { numRuns: 5, endOnFailure: true },
      );
    },
    120_000,
  );
});
