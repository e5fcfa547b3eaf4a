import { expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { changeCancellation } from "#app/modules/subscriptions/commands/change-cancellation.server.ts";
import { graceMs, policies, type SubscriptionState, unpaidGraceWindowMs } from "#app/modules/subscriptions/rules.ts";
import { sweepPlans } from "#app/modules/subscriptions/commands/sweep-plans.server.ts";
import { offerChange } from "#app/modules/plan-changes/reads/offer-change.server.ts";
import { startChange } from "#app/modules/plan-changes/commands/start-change.server.ts";
import { findRunningSubscription } from "#app/modules/subscriptions/queries.server.ts";
import { large } from "#tests/support/catalogue.ts";
import { openTill, type Till } from "#tests/support/till.ts";

async function states(till: Till) {
  return (await till.rows()).subscriptions.map(({ state }) => String(state) as SubscriptionState);
}

/** Buys a month, whose renewal is then declined. */
async function failRenewal(till: Till) {
  await till.buy();
  await till.settle();
  await till.useCard("pm_card_chargeCustomerFail");
  await till.pass(31.5);
  await till.settle();
}

async function cancel(till: Till) {
  const ended = await changeCancellation(till.app, await till.account(), "cancel");
  expect(ended).toMatchObject({ ok: true });
  await till.settle();
}

const hasAccess = async (till: Till) => (await states(till)).some((state) => policies[state].hasAccess);

test("buying, not paying the renewal, cancelling and buying again gives one grace and no second one", async () => {
  const till = await openTill();
  await failRenewal(till);
  expect(await states(till)).toEqual(["past-due-grace"]);
  await till.pass(13);
  await cancel(till);
  await failRenewal(till);
  expect((await states(till)).toSorted()).toEqual(["ended", "past-due-locked"]);
  expect(await hasAccess(till)).toBe(false);
  await cancel(till);
  await failRenewal(till);
  expect(await hasAccess(till)).toBe(false);
  const { mails } = await till.rows();
  expect(mails.filter(({ template }) => template === "plan-locked")).toHaveLength(2);
});

test("a grace that was paid leaves the next one open", async () => {
  const till = await openTill();
  await failRenewal(till);
  await till.useCard("pm_card_visa");
  const due = (await till.record()).invoices.find(({ state }) => state === "open");
  await till.payments.payInvoice(due?.id ?? "", "again");
  await till.settle();
  expect(await states(till)).toEqual(["active"]);
  await till.useCard("pm_card_chargeCustomerFail");
  await till.pass(31);
  await till.settle();
  expect(await states(till)).toEqual(["past-due-grace"]);
});

test("a debt that locked a plan at once is paid for the amount that was asked for, and opens it at once", async () => {
  const till = await openTill();
  await failRenewal(till);
  await cancel(till);
  await failRenewal(till);
  const due = (await till.record()).invoices.find(({ state }) => state === "open");
  await till.useCard("pm_card_visa");
  await till.payments.payInvoice(due?.id ?? "", "again");
  await till.settle();
  expect(await hasAccess(till)).toBe(true);
  const paid = (await till.record()).charges.filter(({ paidBy }) => paidBy !== null).length;
  expect(paid).toBe(3);
});

test("once the window is over there is a grace again, which the clock ends as before", async () => {
  const till = await openTill();
  await failRenewal(till);
  await cancel(till);
  await till.pass(unpaidGraceWindowMs / dayMs);
  await failRenewal(till);
  expect((await states(till)).toSorted()).toEqual(["ended", "past-due-grace"]);
  await till.pass(graceMs / dayMs);
  await sweepPlans(till.app);
  expect(await hasAccess(till)).toBe(false);
});

test("leaving a debt open instead of cancelling spends the grace as well", async () => {
  const till = await openTill();
  await failRenewal(till);
  const [plan] = (await till.record()).subscriptions;
  await till.stripe.subscriptions.cancel(plan?.id ?? "");
  await till.settle();
  await failRenewal(till);
  expect(await hasAccess(till)).toBe(false);
});

test("paying late moves no date: the period that was paid for ends when it would have ended anyway", async () => {
  const till = await openTill();
  await failRenewal(till);
  const endsAt = async () => (await till.rows()).subscriptions.map((row) => row.period_ends_at);
  const before = await endsAt();
  await till.pass(13);
  await till.useCard("pm_card_visa");
  const due = (await till.record()).invoices.find(({ state }) => state === "open");
  await till.payments.payInvoice(due?.id ?? "", "again");
  await till.settle();
  expect(await states(till)).toEqual(["active"]);
  expect(await endsAt()).toEqual(before);
});

test("a plan that is past due can't be changed, so that a change neither pays nor postpones the debt", async () => {
  const till = await openTill();
  await failRenewal(till);
  const running = await findRunningSubscription(till.app.db, till.accountId);
  if (!running) throw new Error("Nothing runs");
  const wish = { planId: large.id, interval: "year" } as const;
  const offered = await offerChange(
    till.app,
    { accountId: till.accountId, running, open: null, unconfirmed: null, creditMinor: 0 },
    wish,
  );
  expect(offered).toMatchObject({ refusal: { reason: "payment-due" } });
  expect(await startChange(till.app, await till.account(), { ...wish, quote: undefined })).toMatchObject({
    ok: false,
    refusal: { reason: "payment-due" },
  });
});

test("buying another plan after the grace was used up has none either", async () => {
  const till = await openTill();
  await failRenewal(till);
  await cancel(till);
  await till.buy(large.id, "month");
  await till.settle();
  await till.useCard("pm_card_chargeCustomerFail");
  await till.pass(31.5);
  await till.settle();
  expect((await states(till)).toSorted()).toEqual(["ended", "past-due-locked"]);
});

test("half a year of never paying a renewal gives the months that were paid for, and fourteen days", async () => {
  const till = await openTill();
  let days = 0;
  for (let month = 0; month < 4; month += 1) {
    await till.buy();
    await till.settle();
    await till.useCard("pm_card_chargeCustomerFail");
    // Access is looked at once a day, until nothing more comes.
    for (let day = 0; day < 46; day += 1) {
      await till.pass(1);
      await till.settle();
      await sweepPlans(till.app);
      if (await hasAccess(till)) days += 1;
      if ((await states(till)).includes("past-due-locked")) break;
    }
    await cancel(till);
  }
  expect(days).toBeLessThanOrEqual(4 * 31 + graceMs / dayMs);
}, 60_000);
