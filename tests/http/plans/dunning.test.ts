import { orderHistoryMessages } from "#app/routes/settings/orders/order/messages.ts";
import { flashMessages } from "#app/http/page/flash.messages.ts";
import { upgradeMessages, offerRefusalMessages, changeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { paymentMessages, paymentReasonsMessages } from "#app/routes/payment/messages.ts";
import { settingsMessages, payDueMessages } from "#app/routes/settings/messages.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import { afterEach, describe, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { graceMs, unpaidGraceWindowMs } from "#app/modules/billing/subscriptions/rules.ts";
import { manualRetriesPerDayMax } from "#app/modules/billing/sync/retries.rules.ts";
import { product } from "#app/product/config.ts";
import {
  planMessages,
  planRefusalMessages,
  dueMessages,
  planAheadMessages,
  planNoticesMessages,
  endingMessages,
} from "#app/routes/settings/plan/messages.ts";
import { cards, changeCard, send, signIn, subscriber } from "#tests/support/clients/customers.ts";
import { aDay, free, large, minor, price, small } from "#tests/support/billing/catalogue.ts";
import { checkoutFields } from "#tests/support/billing/checkout-fields.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import {
  advance,
  advanceToRenewal,
  atOnce,
  choose,
  confirmation,
  customerOf,
  endAllPlans,
  invoicesOf,
  keepPace,
  ordersOf,
  planPath,
  subscriptionOf,
} from "./subscribers.ts";

const site = useSite({ vars: { LAUNCH_GATE: "none" } });
// The site's clock isn't turned back: each time it is set costs a new start of the Worker, and no later test depends
// on it.
afterEach(() => endAllPlans(site));

/** An account whose first renewal was declined. */
async function pastDue(address: string, card: string = cards.failsLater) {
  const visitor = await subscriber(site, address, { card });
  await advanceToRenewal(site, address);
  return visitor.open(planPath);
}

/** The button with the card that a past-due plan has. */
const payWithOldCard = payDueMessages.en.pay(price(small), "Visa •••• 0341");

describe("a renewal that is declined", () => {
  test("shows what is due, why, until when everything works and when it is retried, on the plan page and on its own page", async () => {
    const address = "due@example.com";
    const visitor = await pastDue(address);
    expect(visitor.text()).toContain(dueMessages.en.title(price(small)));
    expect(visitor.text()).toContain(paymentReasonsMessages.en.declined);
    expect(visitor.text()).toMatch(fillGaps(dueMessages.en.grace(gap, product.lockedMeans), aDay));
    expect(visitor.text()).toMatch(fillGaps(dueMessages.en.next(gap), aDay));
    expect(visitor.text()).toContain(planMessages.en.lead(small.name));
    expect(visitor.text()).toContain(planMessages.en.states["past-due-grace"]);
    // The notice above every other page is spelled out here.
    expect(visitor.text()).not.toContain(settingsMessages.en.due.title(false));
    await visitor.open("/settings/orders");
    expect(visitor.text()).toContain(settingsMessages.en.due.title(false));
    await visitor.open("/settings/upgrade");
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["payment-due"]);
    expect(visitor.text()).not.toContain(settingsMessages.en.due.title(false));
    await visitor.open("/settings");
    expect(visitor.text().split(dueMessages.en.title(price(small)))).toHaveLength(2);
    expect(visitor.text()).not.toContain(settingsMessages.en.due.title(false));
    expect(visitor.text()).toContain(planMessages.en.states["past-due-grace"]);

    const [, renewal] = await ordersOf(site, address);
    expect(renewal).toMatchObject({ kind: "renewal", state: "failed", amountMinor: minor(small), attempts: 1 });
    await visitor.open(`/payment/success?order=${renewal?.id}`);
    expect(visitor.path()).toMatch(/^\/payment\/failed/);
    expect(visitor.text()).toContain(paymentMessages.en.pages.renewal.failed.lead(`${product.name} ${small.name}`));
    expect(visitor.html).toContain(`action="${planPath}"`);
    expect(visitor.text()).toContain(payWithOldCard);
    expect(visitor.text()).toContain(payDueMessages.en.another.card);
  });

  test("is retried by its owner, declined again, then paid immediately with another card, which the page shows on return", async () => {
    const address = "retry@example.com";
    const visitor = await pastDue(address);
    await visitor.press(payWithOldCard);
    expect(visitor.path()).toMatch(/^\/payment\/failed/);
    const [, renewal] = await ordersOf(site, address);
    expect(renewal).toMatchObject({ state: "failed" });
    await visitor.press(payDueMessages.en.another.card);
    const portal = await (await fetch(visitor.url)).text();
    expect(portal).toContain(`/payment/failed?order=${renewal?.id}`);
    await send(visitor.url, { testCard: cards.another });
    await visitor.open(`/payment/failed?order=${renewal?.id}`);
    expect(visitor.path()).toMatch(/^\/payment\/success/);
    expect(visitor.text()).toContain(paymentMessages.en.pages.renewal.success.lead(`${product.name} ${small.name}`));
    await visitor.open(planPath);
    expect(visitor.text()).not.toContain(dueMessages.en.title(price(small)));
    expect(visitor.text()).toContain(`${small.name} ${planMessages.en.states.active}`);
    await visitor.post({ intent: "retry" }, planPath);
    expect(visitor.status).toBe(409);
    expect(visitor.text()).toContain(planRefusalMessages.en["nothing-due"]);
    expect((await invoicesOf(site, address)).map(({ status }) => status)).toEqual(["paid", "paid"]);
    const log = await (
      await site.database()
    )
      .prepare("select result, reason from activities where what = ? order by rowid")
      .bind("payment-retried")
      .all();
    expect(log.results).toMatchObject([{ reason: null }, { result: "refused", reason: "nothing-due" }]);
  });

  test("is retried by its owner five times a day, in one tab or two; then the page says when the next attempt is possible", async () => {
    const address = "often@example.com";
    const visitor = await pastDue(address);
    for (let press = 0; press < manualRetriesPerDayMax; press += 1) {
      const answers = await atOnce(site, visitor, [{ intent: "retry" }, { intent: "retry" }], planPath);
      expect(answers.map(({ status }) => [303, 429].includes(status))).toEqual([true, true]);
    }
    await visitor.open(planPath);
    await visitor.press(payWithOldCard);
    expect(visitor.status).toBe(429);
    expect(Number(visitor.headers.get("Retry-After"))).toBeGreaterThan(23 * 3600);
    expect(visitor.text()).toContain(planNoticesMessages.en["too-many-retries"]("24 hours"));
    const failed = (await site.stripe?.sdk.charges.list({ customer: await customerOf(site, address) }))?.data.filter(
      ({ status }) => status === "failed",
    );
    expect(failed).toHaveLength(1 + manualRetriesPerDayMax);
  });

  test("needs a confirmation by its owner on the invoice's page, and the plan continues", async () => {
    const address = "holder@example.com";
    const visitor = await pastDue(address, cards.asksAlways);
    expect(visitor.text()).toContain(dueMessages.en.titleConfirm(price(small)));
    expect(visitor.html).toContain("/payment/action?order=");
    await visitor.open("/settings");
    expect(visitor.text()).toContain(dueMessages.en.titleConfirm(price(small)));
    expect(visitor.html).toContain("/payment/action?order=");
    const [, renewal] = await ordersOf(site, address);
    expect(renewal).toMatchObject({ state: "needs-action" });
    // Pages about something else say so, too, and lead there.
    await visitor.open("/settings/notifications");
    expect(visitor.text()).toContain(settingsMessages.en.due.titleConfirm);
    expect(visitor.html).toContain(`/payment/action?order=${renewal?.id}`);
    await visitor.open(`/payment/action?order=${renewal?.id}`);
    expect(visitor.heading()).toBe(paymentMessages.en.pages.renewal.action.title);
    // Also until when everything works.
    expect(visitor.text()).toMatch(fillGaps(settingsMessages.en.due.text(false, gap, product.lockedMeans), aDay));
    await send(/href="([^"]*\/invoices\/[^"]*)"/.exec(visitor.html)?.[1] ?? "", { answer: "complete" });
    await visitor.open(`/payment/action?order=${renewal?.id}`);
    expect(visitor.text()).toContain(paymentMessages.en.pages.renewal.success.lead(`${product.name} ${small.name}`));
  });

  test("prevents changes of the plan, with a message and the way to pay", async () => {
    const visitor = await pastDue("blocked@example.com");
    await visitor.open("/settings/upgrade");
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["payment-due"]);
    expect(visitor.text()).not.toContain(upgradeMessages.en.change(large.name));
    await choose(visitor, large.id);
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["payment-due"]);
    expect(visitor.html).toContain(`<a href="${planPath}"`);
    await visitor.post(
      { plan: large.id, interval: "month", intent: "confirm", quote: `900.${product.currency}.1.1` },
      "/settings/upgrade",
    );
    expect(visitor.status).toBe(409);
  });

  test("is collected automatically when a later retry succeeds", async () => {
    const address = "later@example.com";
    const visitor = await pastDue(address);
    const customer = await customerOf(site, address);
    const method = await site.stripe?.sdk.paymentMethods.attach("pm_card_visa", { customer });
    await site.stripe?.sdk.subscriptions.update((await subscriptionOf(site, address)).id, {
      default_payment_method: String(method?.id),
    });
    await advance(site, 2.1);
    await visitor.open(planPath);
    expect(visitor.text()).not.toContain(dueMessages.en.title(price(small)));
    expect((await ordersOf(site, address))[1]).toMatchObject({ state: "paid", attempts: 2 });
  });
});

describe("an unpaid plan", () => {
  test("is ended immediately by one click: nothing more is collected, and the debt is cancelled", async () => {
    const address = "give-up@example.com";
    const visitor = await pastDue(address);
    const { endNow } = endingMessages.en;
    expect(visitor.text()).toContain(endNow.warning(small.name, free.name));
    expect(visitor.text()).toContain(endNow.unpaid(price(small)));
    await visitor.press(endNow.button);
    expect(visitor.path()).toBe(planPath);
    expect(visitor.text()).toContain(flashMessages.en["plan-ended"]);
    expect(visitor.text()).toContain(planMessages.en.lead(free.name));
    expect(visitor.text()).not.toContain(settingsMessages.en.due.title(false));
    expect((await ordersOf(site, address))[1]).toMatchObject({ state: "cancelled" });
    await advance(site, 40);
    expect((await invoicesOf(site, address)).map(({ status }) => status)).toEqual(["void", "paid"]);
    const [, renewal] = await ordersOf(site, address);
    await visitor.open(`/payment/failed?order=${renewal?.id}`);
    expect(visitor.path()).toMatch(/^\/payment\/cancelled/);
    expect(visitor.text()).toContain(paymentMessages.en.pages.renewal.cancelled.lead(`${product.name} ${small.name}`));
  });

  test("that was cancelled has no second grace: the page says so before, and why the next plan is locked immediately", async () => {
    const address = "no-second-grace@example.com";
    const visitor = await pastDue(address);
    const days = unpaidGraceWindowMs / dayMs;
    const { endNow } = endingMessages.en;
    expect(visitor.text()).toContain(endNow.graceUsed(days, graceMs / dayMs));
    expect(visitor.text()).not.toContain(dueMessages.en.noGrace(days));
    await visitor.press(endNow.button);
    await choose(visitor, small.id);
    await visitor.post(confirmation(visitor), "/settings/upgrade");
    await visitor.open(await send(visitor.url, checkoutFields(cards.failsLater)));
    await keepPace(site, 31.5);
    await advance(site, 31.5);
    const later = await signIn(site, address);
    await later.open(planPath);
    expect(later.text()).toContain(planMessages.en.states["past-due-locked"]);
    expect(later.text()).toContain(dueMessages.en.noGrace(days));
  });

  test("is ended by choosing Free, which is announced before", async () => {
    const visitor = await pastDue("free-now@example.com");
    await choose(visitor, free.id);
    expect(visitor.text()).toContain(`${changeMessages.en.ends(small.name)} ${changeMessages.en.endsNow(true)}`);
    await visitor.press(changeMessages.en.submitEndNow(free.name));
    expect(visitor.text()).toContain(flashMessages.en["plan-ended"]);
  });

  test("is locked after fourteen days, says so, and is unlocked immediately when it is paid", async () => {
    const address = "locked@example.com";
    await pastDue(address);
    await keepPace(site, 14.1);
    await advance(site, 14.1);
    const visitor = await signIn(site, address);
    await visitor.open(planPath);
    expect(visitor.text()).toContain(planMessages.en.states["past-due-locked"]);
    expect(visitor.text()).toContain(dueMessages.en.locked(product.lockedMeans));
    expect(visitor.text()).toMatch(fillGaps(dueMessages.en.next(gap)));
    await changeCard(visitor, cards.good, payDueMessages.en.another.card);
    await expect
      .poll(async () => (await visitor.open(planPath)).text())
      .toContain(`${small.name} ${planMessages.en.states.active}`);
    expect(visitor.text()).toContain(`${small.name} ${planMessages.en.states.active}`);
    const subjects = (await site.emailsTo(address, 6)).map((email) => email.subject);
    expect(subjects).toContainEqual(expect.stringMatching(subjectOf("plan-locked")));
    expect(subjects).toContainEqual(expect.stringMatching(subjectOf("plan-unlocked")));
  });

  test("is retried four more times, and can still be paid afterwards", async () => {
    const address = "last@example.com";
    await pastDue(address);
    await keepPace(site, 22);
    await advance(site, 22);
    const visitor = await signIn(site, address);
    await visitor.open(planPath);
    expect((await ordersOf(site, address))[1]).toMatchObject({ state: "failed", attempts: 5 });
    expect(visitor.text()).toContain(dueMessages.en.noNext);
    expect(visitor.text()).toContain(planMessages.en.states["past-due-locked"]);
    await changeCard(visitor, cards.good, payDueMessages.en.another.card);
    await expect
      .poll(async () => (await visitor.open(planPath)).text())
      .toContain(`${small.name} ${planMessages.en.states.active}`);
    expect(visitor.text()).toContain(`${small.name} ${planMessages.en.states.active}`);
  });

  test("is paid from the overview in one press; everywhere another card leads, since this one was declined", async () => {
    const address = "overview@example.com";
    const visitor = await pastDue(address);
    const [, renewal] = await ordersOf(site, address);
    const main = () => /<button[^>]*button-primary[^>]*>([\s\S]*?)<\/button>/.exec(visitor.html)?.[1] ?? "none";
    for (const path of [
      planPath,
      "/settings",
      `/settings/orders/${renewal?.id}`,
      `/payment/failed?order=${renewal?.id}`,
    ]) {
      await visitor.open(path);
      expect([path, main()]).toEqual([path, expect.stringContaining(payDueMessages.en.another.card)]);
    }
    await visitor.open("/settings");
    await visitor.press(payWithOldCard);
    expect(visitor.path()).toBe(`/payment/failed?order=${renewal?.id}`);
    const failed = (await site.emailsTo(address, 2)).find(({ subject }) => subject.includes("payment failed"));
    expect(failed?.text).toContain(payDueMessages.en.another.card);
  });

  test("and never paid ends the plan with its period: every page says so, nobody asks why, and it can be bought again", async () => {
    const address = "lost@example.com";
    await pastDue(address);
    await keepPace(site, 32);
    await advance(site, 32);
    const visitor = await signIn(site, address);
    const { lost, ended } = planAheadMessages.en;
    await visitor.open(planPath);
    expect(visitor.text()).toContain(lost.title);
    expect(visitor.text()).toMatch(fillGaps(ended.unpaid(small.name, gap), aDay));
    expect(visitor.text()).not.toContain(planMessages.en.whyLeft);
    await visitor.open("/settings");
    expect(visitor.text()).toContain(lost.title);
    const [, renewal] = await ordersOf(site, address);
    expect(renewal?.state).toBe("cancelled");
    await visitor.open(`/settings/orders/${renewal?.id}`);
    expect(visitor.text()).toContain(lost.title);
    for (const attempt of [1, 2, 3, 4, 5]) expect(visitor.text()).toContain(orderHistoryMessages.en.declined(attempt));
    expect(visitor.text()).toContain(lost.payAndContinue(small.name));
    expect(visitor.html).toContain(`/settings/upgrade?plan=${small.id}&amp;interval=month`);
    const subjects = async () => (await site.emailsTo(address, 3)).map((email) => email.subject);
    await expect.poll(subjects).toContainEqual(expect.stringMatching(subjectOf("plan-ended")));
  });
});
