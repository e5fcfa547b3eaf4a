import { flashMessages } from "#app/http/page/flash.messages.ts";
import {
  planMessages,
  latestOrdersMessages,
  planRefusalMessages,
  planAheadMessages,
  planNoticesMessages,
} from "#app/routes/settings/plan/messages.ts";
import { upgradeMessages, openChoiceMessages, changeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { beginningOf, fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { paymentMessages, paymentReasonsMessages } from "#app/routes/payment/messages.ts";
import { product } from "#app/product/config.ts";
import { cards, changeCard, send, subscriber } from "#tests/support/clients/customers.ts";
import { aDay, amount, large, minor, pattern, price, small } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { advance, choose, customerOf, invoicesOf, ordersOf, planPath, quoted, subscriptionOf } from "./subscribers.ts";

const site = useSite({ vars: { LAUNCH_GATE: "none" } });

/** The part of an amount for the rest of the running period, as Stripe calculates it: by seconds. */
async function restOf(address: string, amountMinor: number, prorationAt: number): Promise<number> {
  const { item } = await subscriptionOf(site, address);
  const { current_period_start: start, current_period_end: end } = item;
  return Math.round((amountMinor * (end - prorationAt / 1000)) / (end - start));
}

/** Each quote is one change, identified by its time: the provider counts in seconds, and a machine is faster. */
const theNextSecond = () => pause(1000 - (Date.now() % 1000));

async function giveCredit(address: string, amountMinor: number) {
  const customer = await customerOf(site, address);
  await site.stripe?.sdk.customers.createBalanceTransaction(customer, {
    amount: -amountMinor,
    currency: product.currency.toLowerCase(),
  });
}

describe("an upgrade", () => {
  test("is charged by the second for the rest of the period, to the cent that the page quoted, and shown everywhere", async () => {
    const address = "up@example.com";
    const visitor = await subscriber(site, address);
    await advance(site, 11);
    await choose(visitor, large.id);
    expect(visitor.path()).toBe(`/settings/upgrade?plan=${large.id}&interval=month`);
    expect(visitor.heading()).toBe(changeMessages.en.title(large.name));
    const { amountMinor, prorationAt } = quoted(visitor);
    const unused = await restOf(address, minor(small), prorationAt);
    const remaining = await restOf(address, minor(large), prorationAt);
    expect(amountMinor).toBe(remaining - unused);
    expect(amountMinor).toBeLessThan(minor(large) - minor(small));
    expect(visitor.text()).toContain(`${changeMessages.en.unused(small.name)} ${amount(-unused)}`);
    expect(visitor.text()).toMatch(
      pattern`${fillGaps(changeMessages.en.remaining(large.name, gap), aDay)} ${amount(remaining)}`,
    );
    expect(visitor.text()).toContain(`${changeMessages.en.total} ${amount(amountMinor)}`);
    expect(visitor.text()).toContain(
      `${changeMessages.en.next} ${beginningOf(changeMessages.en.nextText(price(large), gap))}`,
    );

    await visitor.press(changeMessages.en.submitNow(large.name, amount(amountMinor)));
    expect(visitor.path()).toMatch(/^\/payment\/success\?order=ord_/);
    expect(visitor.heading()).toBe(paymentMessages.en.pages.change.success.title);
    expect(visitor.text()).toContain(paymentMessages.en.pages.change.success.lead(`${product.name} ${large.name}`));
    expect(visitor.text()).toContain(
      `${paymentMessages.en.planText.month(`${product.name} ${large.name}`)} ${paymentMessages.en.since}`,
    );
    const [invoice] = await invoicesOf(site, address);
    expect(invoice).toMatchObject({ status: "paid", amount_paid: amountMinor });
    expect(await ordersOf(site, address)).toMatchObject([
      { kind: "new-plan", state: "paid", amountMinor: minor(small) },
      { kind: "change", state: "paid", amountMinor, planId: large.id },
    ]);
    await visitor.open(planPath);
    expect(visitor.text()).toContain(planMessages.en.lead(large.name));
    expect(visitor.text()).toContain(latestOrdersMessages.en.what("change", large.name));
    const emails = await site.emailsTo(address, 4);
    expect(emails.map((email) => email.subject)).toContainEqual(expect.stringMatching(subjectOf("plan-changed")));
  });

  test("uses credit first, and says how much of it", async () => {
    const address = "credit@example.com";
    const visitor = await subscriber(site, address);
    await giveCredit(address, 200);
    await choose(visitor, large.id);
    const { amountMinor, prorationAt } = quoted(visitor);
    expect(amountMinor).toBe(
      (await restOf(address, minor(large), prorationAt)) - (await restOf(address, minor(small), prorationAt)) - 200,
    );
    expect(visitor.text()).toContain(`${changeMessages.en.credit} ${amount(-200)}`);
    await visitor.press(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    expect(visitor.heading()).toBe(paymentMessages.en.pages.change.success.title);
    expect((await invoicesOf(site, address))[0]).toMatchObject({ status: "paid", amount_paid: amountMinor });
    expect((await ordersOf(site, address))[1]).toMatchObject({ state: "paid", amountMinor, creditMinor: 200 });
  });

  test("that credit covers completely costs nothing now, and the rest of the credit reduces the next charge", async () => {
    const address = "covered@example.com";
    const visitor = await subscriber(site, address);
    const difference = minor(large) - minor(small);
    const left = amount(minor(large) - 100);
    await giveCredit(address, difference + 100);
    await choose(visitor, large.id);
    expect(quoted(visitor).amountMinor).toBe(0);
    expect(visitor.text()).toMatch(
      pattern`${changeMessages.en.credit} ${amount(-difference)} .*${changeMessages.en.total} ${amount(0)}`,
    );
    expect(visitor.text()).toContain(`${changeMessages.en.next} ${beginningOf(changeMessages.en.nextText(left, gap))}`);
    await visitor.press(changeMessages.en.submitNow(large.name, amount(0)));
    expect(visitor.heading()).toBe(paymentMessages.en.pages.change.success.title);
    await visitor.open(planPath);
    expect(visitor.text()).toMatch(
      pattern`${planMessages.en.next} ${fillGaps(planMessages.en.nextText(left, gap))} ${planMessages.en.credit} ${planMessages.en.creditText(amount(100))}`,
    );
  });

  test("from monthly to yearly begins a year now, less the unused part of the month", async () => {
    const address = "yearly@example.com";
    const visitor = await subscriber(site, address);
    await visitor.open("/settings/upgrade?interval=year");
    await visitor.press(upgradeMessages.en.changeInterval.year);
    expect(visitor.heading()).toBe(changeMessages.en.titleYearly);
    const { amountMinor, prorationAt } = quoted(visitor);
    expect(amountMinor).toBe(minor(small, "year") - (await restOf(address, minor(small), prorationAt)));
    expect(visitor.text()).toContain(changeMessages.en.keep);
    await visitor.press(changeMessages.en.submitInterval.year(amount(amountMinor)));
    expect(visitor.heading()).toBe(paymentMessages.en.pages.change.success.title);
    expect(await subscriptionOf(site, address)).toMatchObject({ priceKey: `${small.id}_year` });
    await visitor.open(planPath);
    expect(visitor.text()).toContain(`${price(small, "year")} ${planMessages.en.per.year}`);
  });
});

describe("an upgrade whose payment", () => {
  test("is declined leaves the old plan unchanged, shows the reason, and succeeds with another card", async () => {
    const address = "declined@example.com";
    const visitor = await subscriber(site, address, { card: cards.failsLater });
    await choose(visitor, large.id);
    await visitor.press(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    expect(visitor.path()).toMatch(/^\/payment\/failed\?order=/);
    expect(visitor.heading()).toBe(paymentMessages.en.pages.change.failed.title);
    expect(visitor.text()).toContain(paymentMessages.en.pages.change.failed.lead(`${product.name} ${large.name}`));
    expect(visitor.text()).toContain(paymentReasonsMessages.en.declined);
    const failed = visitor.url;
    await visitor.open(planPath);
    expect(visitor.text()).toContain(planMessages.en.lead(small.name));
    expect(visitor.text()).toContain(planNoticesMessages.en.openChange.title(large.name));

    await visitor.open(failed);
    await changeCard(visitor, cards.good, paymentMessages.en.pay.card);
    await visitor.open(failed);
    expect(visitor.html).toContain(`/settings/upgrade?plan=${large.id}&amp;interval=month`);
    await theNextSecond();
    await visitor.open("/settings/upgrade");
    expect(visitor.text()).toContain(openChoiceMessages.en.change(large.name));
    // Its own review continues with it.
    await choose(visitor, large.id);
    expect(visitor.text()).not.toContain(openChoiceMessages.en.change(large.name));
    await visitor.press(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    expect(visitor.heading()).toBe(paymentMessages.en.pages.change.success.title);
    expect((await ordersOf(site, address)).map(({ state }) => state)).toEqual(["paid", "cancelled", "paid"]);
    expect((await invoicesOf(site, address)).map(({ status }) => status)).toEqual(["paid", "void", "paid"]);
  });

  test("is declined can be paid again from the plan's page, or cancelled there", async () => {
    const address = "given-up@example.com";
    const visitor = await subscriber(site, address, { card: cards.failsLater });
    await choose(visitor, large.id);
    await visitor.press(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    await visitor.press(planNoticesMessages.en.openChange.giveUp);
    expect(visitor.path()).toBe(planPath);
    expect(visitor.text()).toContain(flashMessages.en["change-given-up"]);
    expect(visitor.text()).not.toContain(planNoticesMessages.en.openChange.title(large.name));
    expect((await invoicesOf(site, address))[0]).toMatchObject({ status: "void" });
    expect((await ordersOf(site, address))[1]).toMatchObject({ state: "cancelled" });
    expect(await subscriptionOf(site, address)).toMatchObject({ priceKey: `${small.id}_month`, pending_update: null });
    await visitor.post({ intent: "undo-change" }, planPath);
    expect(visitor.status).toBe(409);
    expect(visitor.text()).toContain(planRefusalMessages.en["nothing-planned"]);
  });

  test("is declined leaves scheduled changes as they were, and the pages show that", async () => {
    const address = "still-planned@example.com";
    const visitor = await subscriber(site, address, { plan: large.id, card: cards.failsLater });
    await choose(visitor, small.id);
    await visitor.press(
      beginningOf(changeMessages.en.submitLater(small.name, price(small), changeMessages.en.per.month, gap)),
    );
    await choose(visitor, large.id, "year");
    expect(visitor.text()).toContain(
      `${changeMessages.en.instead} ${beginningOf(changeMessages.en.insteadText(small.name, gap))}`,
    );
    expect(visitor.text()).toMatch(fillGaps(changeMessages.en.noteNowScheduled(small.name, gap), aDay));
    await visitor.press(beginningOf(changeMessages.en.submitInterval.year(gap)));
    expect(visitor.heading()).toBe(paymentMessages.en.pages.change.failed.title);
    await visitor.open(planPath);
    expect(visitor.text()).toMatch(
      pattern`${fillGaps(planAheadMessages.en.pending.title(small.name, gap), aDay)} ${beginningOf(planAheadMessages.en.pending.aside(large.name, gap))}`,
    );
    await visitor.press(planNoticesMessages.en.openChange.giveUp);
    expect(visitor.text()).toMatch(
      pattern`${fillGaps(planAheadMessages.en.pending.title(small.name, gap), aDay)} ${beginningOf(planAheadMessages.en.pending.text(large.name, gap))}`,
    );
    expect(visitor.text()).toContain(
      `${planMessages.en.next} ${beginningOf(planMessages.en.nextText(price(small), gap))}`,
    );
    expect(await subscriptionOf(site, address)).toMatchObject({ schedule: expect.any(String), pending_update: null });
  });

  test("is declined expires after a day, and the page says so", async () => {
    const address = "forgotten@example.com";
    const visitor = await subscriber(site, address, { card: cards.failsLater });
    await choose(visitor, large.id);
    await visitor.press(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    const failed = visitor.url;
    await advance(site, 1);
    await visitor.open(failed);
    expect(visitor.path()).toMatch(/^\/payment\/cancelled/);
    expect(visitor.text()).toContain(paymentMessages.en.pages.change.cancelled.lead(`${product.name} ${large.name}`));
  });

  test("needs a confirmation leads to the invoice's page, and takes effect once it is confirmed", async () => {
    const address = "asked@example.com";
    const visitor = await subscriber(site, address, { card: cards.asksAlways });
    await choose(visitor, large.id);
    await visitor.press(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    expect(visitor.path()).toMatch(/^\/payment\/action\?order=/);
    expect(visitor.heading()).toBe(paymentMessages.en.pages.change.action.title);
    expect(visitor.text()).toContain(paymentMessages.en.pages.change.action.lead(`${product.name} ${large.name}`));
    const page = visitor.url;
    const invoicePage = /href="([^"]*\/invoices\/[^"]*)"/.exec(visitor.html)?.[1] ?? "";
    expect(new URL(invoicePage).origin).toBe(site.stripe?.origin);
    await visitor.open(planPath);
    expect(visitor.text()).toContain(planMessages.en.lead(small.name));
    await send(invoicePage, { answer: "complete" });
    await visitor.open(page);
    expect(visitor.path()).toMatch(/^\/payment\/success/);
    expect(visitor.text()).toContain(paymentMessages.en.pages.change.success.lead(`${product.name} ${large.name}`));
  });

  test("needs a confirmation that fails is shown as failed, with its reason", async () => {
    const visitor = await subscriber(site, "refused@example.com", { card: cards.asksAlways });
    await choose(visitor, large.id);
    await visitor.press(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    const page = visitor.url;
    await send(/href="([^"]*\/invoices\/[^"]*)"/.exec(visitor.html)?.[1] ?? "", { answer: "fail" });
    await visitor.open(page);
    expect(visitor.path()).toMatch(/^\/payment\/failed/);
    expect(visitor.text()).toContain(paymentReasonsMessages.en.authentication);
  });
});
