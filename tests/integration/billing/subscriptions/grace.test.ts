import { expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { changeCancellation } from "#app/modules/billing/subscriptions/commands/change-cancellation.server.ts";
import {
  graceMs,
  policies,
  type SubscriptionState,
  unpaidGraceWindowMs,
} from "#app/modules/billing/subscriptions/rules.ts";
import { sweepSubscriptions } from "#app/modules/billing/subscriptions/commands/sweep-subscriptions.server.ts";
import { offerChange } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { findRunningSubscription } from "#app/modules/billing/subscriptions/queries.server.ts";
import { large } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

async function states(harness: BillingHarness) {
  return (await harness.rows()).subscriptions.map(({ state }) => String(state) as SubscriptionState);
}

/** Buys a month, whose renewal is then declined. */
async function failRenewal(harness: BillingHarness) {
  await harness.buy();
  await harness.reconcile();
  await harness.useCard("pm_card_chargeCustomerFail");
  await harness.pass(31.5);
  await harness.reconcile();
}

async function cancel(harness: BillingHarness) {
  const ended = await changeCancellation(harness.app, await harness.account(), "cancel");
  expect(ended).toMatchObject({ ok: true });
  await harness.reconcile();
}

const hasAccess = async (harness: BillingHarness) => (await states(harness)).some((state) => policies[state].hasAccess);

test("buying, not paying the renewal, cancelling and buying again gives only one grace", async () => {
  const harness = await openBillingHarness();
  await failRenewal(harness);
  expect(await states(harness)).toEqual(["past-due-grace"]);
  await harness.pass(13);
  await cancel(harness);
  await failRenewal(harness);
  expect((await states(harness)).toSorted()).toEqual(["ended", "past-due-locked"]);
  expect(await hasAccess(harness)).toBe(false);
  await cancel(harness);
  await failRenewal(harness);
  expect(await hasAccess(harness)).toBe(false);
  const { emails } = await harness.rows();
  expect(emails.filter(({ template }) => template === "plan-locked")).toHaveLength(2);
});

test("a grace that ended in a payment leaves the next one available", async () => {
  const harness = await openBillingHarness();
  await failRenewal(harness);
  await harness.useCard("pm_card_visa");
  const due = (await harness.record()).invoices.find(({ state }) => state === "open");
  await harness.payments.payInvoice(due?.id ?? "in_", "again");
  await harness.reconcile();
  expect(await states(harness)).toEqual(["active"]);
  await harness.useCard("pm_card_chargeCustomerFail");
  await harness.pass(31);
  await harness.reconcile();
  expect(await states(harness)).toEqual(["past-due-grace"]);
});

test("a debt that locked a plan immediately is paid for the requested amount, and unlocks it immediately", async () => {
  const harness = await openBillingHarness();
  await failRenewal(harness);
  await cancel(harness);
  await failRenewal(harness);
  const due = (await harness.record()).invoices.find(({ state }) => state === "open");
  await harness.useCard("pm_card_visa");
  await harness.payments.payInvoice(due?.id ?? "in_", "again");
  await harness.reconcile();
  expect(await hasAccess(harness)).toBe(true);
  const paid = (await harness.record()).charges.filter(({ paidBy }) => paidBy !== null).length;
  expect(paid).toBe(3);
});

test("after the window there is a grace again, which the cron job ends as before", async () => {
  const harness = await openBillingHarness();
  await failRenewal(harness);
  await cancel(harness);
  await harness.pass(unpaidGraceWindowMs / dayMs);
  await failRenewal(harness);
  expect((await states(harness)).toSorted()).toEqual(["ended", "past-due-grace"]);
  await harness.pass(graceMs / dayMs);
  await sweepSubscriptions(harness.app);
  expect(await hasAccess(harness)).toBe(false);
});

test("leaving a debt open instead of cancelling uses up the grace as well", async () => {
  const harness = await openBillingHarness();
  await failRenewal(harness);
  const [subscription] = (await harness.record()).subscriptions;
  await harness.stripe.subscriptions.cancel(subscription?.id ?? "");
  await harness.reconcile();
  await failRenewal(harness);
  expect(await hasAccess(harness)).toBe(false);
});

test("paying late changes no date: the paid period ends when it would have ended anyway", async () => {
  const harness = await openBillingHarness();
  await failRenewal(harness);
  const endsAt = async () => (await harness.rows()).subscriptions.map((row) => row.period_ends_at);
  const before = await endsAt();
  await harness.pass(13);
  await harness.useCard("pm_card_visa");
  const due = (await harness.record()).invoices.find(({ state }) => state === "open");
  await harness.payments.payInvoice(due?.id ?? "in_", "again");
  await harness.reconcile();
  expect(await states(harness)).toEqual(["active"]);
  expect(await endsAt()).toEqual(before);
});

test("a plan that is past due can't be changed, so that a change neither pays nor postpones the debt", async () => {
  const harness = await openBillingHarness();
  await failRenewal(harness);
  const running = await findRunningSubscription(harness.app.db, harness.accountId);
  if (!running) throw new Error("Nothing runs");
  const input = { planId: large.id, interval: "year" } as const;
  const offered = await offerChange(
    harness.app,
    { accountId: harness.accountId, running, open: null, unconfirmed: null, creditMinor: 0 },
    input,
  );
  expect(offered).toMatchObject({ refusal: { reason: "payment-due" } });
  expect(await startChange(harness.app, await harness.account(), { ...input, quote: undefined })).toMatchObject({
    ok: false,
    refusal: { reason: "payment-due" },
  });
});

test("buying another plan after the grace was used up comes without one", async () => {
  const harness = await openBillingHarness();
  await failRenewal(harness);
  await cancel(harness);
  await harness.buy(large.id, "month");
  await harness.reconcile();
  await harness.useCard("pm_card_chargeCustomerFail");
  await harness.pass(31.5);
  await harness.reconcile();
  expect((await states(harness)).toSorted()).toEqual(["ended", "past-due-locked"]);
});

test("half a year of never paying a renewal gives only the paid months, and fourteen days", async () => {
  const harness = await openBillingHarness();
  let days = 0;
  for (let month = 0; month < 4; month += 1) {
    await harness.buy();
    await harness.reconcile();
    await harness.useCard("pm_card_chargeCustomerFail");
    // Access is checked once a day, until no more access is given.
    for (let day = 0; day < 46; day += 1) {
      await harness.pass(1);
      await harness.reconcile();
      await sweepSubscriptions(harness.app);
      if (await hasAccess(harness)) days += 1;
      if ((await states(harness)).includes("past-due-locked")) break;
    }
    await cancel(harness);
  }
  expect(days).toBeLessThanOrEqual(4 * 31 + graceMs / dayMs);
}, 180_000);
