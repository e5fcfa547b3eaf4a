import { processingMessages } from "#app/routes/payment/messages.ts";
import { namePaymentMethod } from "#app/core/text/payment-method.ts";
import { beginningOf, gap } from "#tests/support/clients/message-patterns.ts";
import { describe, expect, test } from "vitest";
import { cards, openCheckout, send, signUp } from "#tests/support/clients/customers.ts";
import { large, minor, price, small } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { planMessages, planRefusalMessages, dueMessages, endingMessages } from "#app/routes/settings/plan/messages.ts";
import { nextPeriodMessages, offerRefusalMessages, changeMessages } from "#app/routes/settings/upgrade/messages.ts";
import {
  advance,
  advanceToRenewal,
  choose,
  confirmation,
  customerOf,
  invoicesOf,
  ordersOf,
  planPath,
  subscriptionOf,
} from "./subscribers.ts";

const { title, button } = nextPeriodMessages.en["payment-method"];
const site = useSite({ vars: { LAUNCH_GATE: "none" } });

/** An account that pays by bank debit, after the first one has arrived. */
async function debtor(address: string): Promise<Visitor> {
  const visitor = await signUp(site, address);
  const session = await openCheckout(visitor);
  for (const outcome of ["processing", "paid"]) await site.stripe?.control("checkout", { session, outcome });
  return visitor.open(planPath);
}

/** The same account with a payment method of another kind, as another tab or the team may have chosen it. */
async function payBy(address: string, method: string): Promise<void> {
  const customer = await customerOf(site, address);
  const sdk = site.stripe?.sdk;
  const attached = await sdk?.paymentMethods.attach(method, { customer });
  const { id } = await subscriptionOf(site, address);
  await sdk?.subscriptions.update(id, { default_payment_method: String(attached?.id) });
}

/** Back to the bank account that paid first. */
async function payByDebit(address: string): Promise<void> {
  const customer = await customerOf(site, address);
  const sdk = site.stripe?.sdk;
  const account = (await sdk?.customers.listPaymentMethods(customer, { type: "sepa_debit" }))?.data[0];
  const { id } = await subscriptionOf(site, address);
  await sdk?.subscriptions.update(id, { default_payment_method: String(account?.id) });
}

test("a renewal by bank debit is processed for days: the plan page says so, without anything to pay, until it has arrived", async () => {
  const address = "renewal@example.com";
  const visitor = await debtor(address);
  const { en: due } = dueMessages;
  const onItsWay = due.titleProcessing(price(small));
  expect(visitor.text()).not.toContain(onItsWay);
  expect(visitor.text()).toContain(namePaymentMethod("sepa_debit", null));
  await advanceToRenewal(site, address);
  const renewal = (await ordersOf(site, address)).find(({ kind }) => kind === "renewal");
  expect(renewal).toMatchObject({ state: "processing" });
  await visitor.open(planPath);
  expect(visitor.text()).toContain(onItsWay);
  expect(visitor.text()).toContain(due.processing);
  expect(visitor.text()).toContain(planMessages.en.states.active);
  expect(visitor.html).not.toContain('value="retry"');
  await visitor.open(`/payment/processing?order=${renewal?.id}`);
  expect(visitor.text()).toContain(processingMessages.en.asUsual);
  await visitor.open(`/settings/orders/${renewal?.id}`);
  expect(visitor.text()).toContain(`${processingMessages.en.text} ${processingMessages.en.asUsual}`);
  // A post without a button changes nothing.
  await visitor.post({ intent: "retry", order: renewal?.id ?? "" }, planPath);
  expect(visitor.status).toBe(409);
  expect(visitor.text()).toContain(planRefusalMessages.en["payment-in-process"]);
  const customer = await customerOf(site, address);
  expect((await site.stripe?.sdk.charges.list({ customer }))?.data).toHaveLength(2);
  await advance(site, 6);
  await visitor.open(planPath);
  expect(visitor.text()).not.toContain(onItsWay);
  expect((await ordersOf(site, address)).map(({ state }) => state)).toEqual(["paid", "paid"]);
});

test("a renewal by bank debit that fails becomes a due payment, with a way to pay it", async () => {
  const address = "renewal-fails@example.com";
  const visitor = await debtor(address);
  await advanceToRenewal(site, address);
  const renewal = (await ordersOf(site, address)).find(({ kind }) => kind === "renewal");
  await site.stripe?.control("debit", { order: renewal?.id, outcome: "declined" });
  await visitor.open(planPath);
  expect(visitor.text()).toContain(dueMessages.en.title(price(small)));
  expect(visitor.text()).not.toContain(dueMessages.en.processing);
  expect(visitor.html).toContain('value="retry"');
});

test("while the debit of a due payment is processing, the plan can't be ended, and the page says why", async () => {
  const address = "end-processing@example.com";
  const visitor = await debtor(address);
  await advanceToRenewal(site, address);
  const renewal = (await ordersOf(site, address)).find(({ kind }) => kind === "renewal");
  await site.stripe?.control("debit", { order: renewal?.id, outcome: "declined" });
  const { endNow } = endingMessages.en;
  await visitor.open(planPath);
  expect(visitor.text()).toContain(endNow.open);
  await visitor.post({ intent: "retry", order: renewal?.id ?? "" }, planPath);
  await visitor.open(planPath);
  expect(visitor.text()).toContain(endNow.inProcess);
  expect(visitor.html).not.toContain('value="cancel"');
  expect(visitor.text()).not.toContain(endNow.dialog(small.name));
  // As another tab may have it still.
  await visitor.post({ intent: "cancel" }, planPath);
  expect(visitor.status).toBe(409);
  expect(visitor.text()).toContain(planRefusalMessages.en["payment-in-process"]);
  expect(await subscriptionOf(site, address)).toMatchObject({ status: "past_due" });
  await site.stripe?.control("debit", { order: renewal?.id, outcome: "paid" });
  expect(await subscriptionOf(site, address)).toMatchObject({ status: "active" });
  expect((await ordersOf(site, address)).map(({ state }) => state)).toEqual(["paid", "paid"]);
});

describe("an upgrade while a renewal's debit is processing and the plan is now charged to a card", () => {
  const unpaid = nextPeriodMessages.en["renewal-unpaid"];
  const [summary = ""] = unpaid.text("\n").split("\n");

  async function renewing(address: string, card = "pm_card_visa") {
    const visitor = await debtor(address);
    await advanceToRenewal(site, address);
    await payBy(address, card);
    const [, renewal] = await ordersOf(site, address);
    expect(renewal).toMatchObject({ kind: "renewal", state: "processing" });
    return { visitor, settle: (outcome: string) => site.stripe?.control("debit", { order: renewal?.id, outcome }) };
  }

  test("starts with the next period; if the debit fails, the card pays for the running period", async () => {
    const address = "processing@example.com";
    const { visitor, settle } = await renewing(address);
    await choose(visitor, large.id);
    expect(visitor.status).toBe(200);
    expect(visitor.text()).toContain(unpaid.title);
    expect(visitor.text()).toContain(summary.trim());
    expect(visitor.html).not.toContain(button);
    await visitor.press(beginningOf(changeMessages.en.submitLater(large.name, gap, gap, gap)));
    expect([visitor.status, visitor.path()]).toEqual([200, planPath]);
    await settle("declined");
    expect(await subscriptionOf(site, address)).toMatchObject({ status: "active", priceKey: `${small.id}_month` });
    expect(await ordersOf(site, address)).toMatchObject([
      { kind: "new-plan", state: "paid" },
      { kind: "renewal", state: "paid", amountMinor: minor(small) },
    ]);
  });

  test("starts with the next period; if the card fails as well, the plan is past due as announced", async () => {
    const address = "both-fail@example.com";
    const { visitor, settle } = await renewing(address, "pm_card_chargeCustomerFail");
    await choose(visitor, large.id);
    await visitor.press(beginningOf(changeMessages.en.submitLater(large.name, gap, gap, gap)));
    await settle("declined");
    expect(await subscriptionOf(site, address)).toMatchObject({ status: "past_due", priceKey: `${small.id}_month` });
    await visitor.open(planPath);
    expect(visitor.text()).toContain(dueMessages.en.title(price(small)));
    expect(await invoicesOf(site, address)).toHaveLength(2);
  });

  test("is refused if the debit fails before the confirmation, with the way to pay it", async () => {
    const address = "fails-meanwhile@example.com";
    const { visitor, settle } = await renewing(address, "pm_card_chargeCustomerFail");
    await choose(visitor, large.id);
    const later = confirmation(visitor);
    await settle("declined");
    await visitor.post(later, "/settings/upgrade");
    expect(visitor.status).toBe(409);
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["payment-due"]);
    await choose(visitor, large.id);
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["payment-due"]);
    expect(visitor.html).not.toContain('name="quote"');
    expect(await subscriptionOf(site, address)).toMatchObject({ schedule: null, priceKey: `${small.id}_month` });
    expect(await invoicesOf(site, address)).toHaveLength(2);
  });

  test("starts immediately when the debit has arrived", async () => {
    const address = "arrived@example.com";
    const { visitor, settle } = await renewing(address);
    await settle("paid");
    await choose(visitor, large.id);
    expect(visitor.text()).not.toContain(unpaid.title);
    await visitor.press(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    expect(await subscriptionOf(site, address)).toMatchObject({ priceKey: `${large.id}_month` });
  });
});

describe("an upgrade by a customer who pays by bank debit", () => {
  test("starts with the next period, as announced, and is debited then", async () => {
    const address = "later@example.com";
    const visitor = await debtor(address);
    await choose(visitor, large.id);
    expect(visitor.status).toBe(200);
    expect(visitor.text()).toContain(title);
    const { quote = "" } = confirmation(visitor);
    expect(quote.split(".")[0]).toBe(String(minor(large)));
    await visitor.press(beginningOf(changeMessages.en.submitLater(large.name, gap, gap, gap)));
    expect([visitor.status, visitor.path()]).toEqual([200, planPath]);
    expect(await invoicesOf(site, address)).toHaveLength(1);
    expect(await subscriptionOf(site, address)).toMatchObject({ priceKey: `${small.id}_month` });
    await advanceToRenewal(site, address);
    expect(await subscriptionOf(site, address)).toMatchObject({ priceKey: `${large.id}_month` });
    await advance(site, 6);
    expect(await ordersOf(site, address)).toMatchObject([
      { kind: "new-plan", state: "paid" },
      { kind: "renewal", state: "paid", planId: large.id, amountMinor: minor(large) },
    ]);
  });

  test("starts today with a card that is added at the provider, which returns to the offer", async () => {
    const address = "card-first@example.com";
    const visitor = await debtor(address);
    await choose(visitor, large.id);
    const offer = visitor.path();
    await visitor.press(button);
    const portal = visitor.url;
    expect(new URL(portal).pathname).toMatch(/^\/portal\//);
    await send(portal, { testCard: cards.another });
    await visitor.open(offer);
    expect(visitor.text()).not.toContain(title);
    await visitor.press(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    expect(visitor.path()).toMatch(/^\/payment\/success/);
    expect(await subscriptionOf(site, address)).toMatchObject({ priceKey: `${large.id}_month` });
  });

  test.each(["month", "year"])(
    "whose method changes while the page is open (by the %s) shows the current offer",
    async (interval) => {
      const address = `moved-${interval}@example.com`;
      const visitor = await debtor(address);
      await choose(visitor, large.id, interval);
      const later = confirmation(visitor);
      await payBy(address, "pm_card_visa");
      await visitor.post(later, "/settings/upgrade");
      expect(visitor.status).toBe(409);
      expect(visitor.text()).not.toContain(title);
      const now = confirmation(visitor);
      await payByDebit(address);
      await visitor.post(now, "/settings/upgrade");
      expect(visitor.status).toBe(409);
      expect(visitor.text()).toContain(title);
      expect(await invoicesOf(site, address)).toHaveLength(1);
      expect(await ordersOf(site, address)).toMatchObject([{ kind: "new-plan", state: "paid" }]);
      await visitor.post(confirmation(visitor), "/settings/upgrade");
      expect(visitor.path()).toBe(planPath);
    },
  );
});
