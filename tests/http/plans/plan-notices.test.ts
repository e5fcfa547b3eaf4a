import { dataSentence } from "#app/modules/catalogue/data-sentence.rules.ts";
import { flashMessages } from "#app/http/page/flash.messages.ts";
import { refundDueAt } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { firstPaymentMessages } from "#app/routes/settings/messages.ts";
import { landingMessages } from "#app/product/landing/messages.ts";
import { beginningOf, fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { decodeJwt } from "jose";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { dayMs, formatDay, formatMonth } from "#app/core/time/time.ts";
import { endOfPeriod } from "#app/modules/billing/subscriptions/periods.rules.ts";
import { product } from "#app/product/config.ts";
import { commentLengthMax } from "#app/modules/billing/subscriptions/cancellation-reasons.rules.ts";
import {
  planMessages,
  planRefusalMessages,
  reasonProblemMessages,
  planAheadMessages,
  planNoticesMessages,
  endingMessages,
} from "#app/routes/settings/plan/messages.ts";
import { upgradeMessages, offerRefusalMessages, changeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { underWayMessages } from "#app/routes/landing/under-way.messages.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { overviewPlanMessages } from "#app/routes/settings/overview/plan.messages.ts";
import { activateDevice, licenceKeyOf, signUp } from "#tests/support/clients/customers.ts";
import { free, large, minor, pages, pattern, price, small } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { asShown } from "#tests/support/clients/html.ts";

/** What is said about the data, up to the day. */
const [beforeDay = ""] = product.dataWhenSmaller.split("{day}");

/** What the page of a plan shows first, for the rows that it finds. */
let visitor: Visitor;
const messages = planMessages.en;
const { locale, timeZone } = product;
const reader = { locale, timeZone };
const day = (at: number) => asShown(formatDay(at, reader));

const site = useSite({ vars: { LAUNCH_GATE: "none" } });
beforeAll(async () => {
  // Read once, when the Worker starts.
  const insert = (await site.database()).prepare("insert into sold_plans (plan_id, plan) values (?, ?)");
  await insert.bind(former.id, JSON.stringify(former)).run();
  visitor = await signUp(site, "notices@example.com");
});
beforeEach(async () => {
  await (
    await site.database()
  ).exec(
    "delete from cancellation_reasons; delete from subscriptions; delete from history_events; delete from withdrawals; delete from orders",
  );
});

/** The config had it once. */
const former = { ...small, id: "former", name: "Pioneer" };

type Columns = {
  state: string;
  planId?: string;
  periodEndsAt?: number;
  cancelsAt?: number;
  cardExpires?: string;
  endedAt?: number;
};

async function aPlan(columns: Columns): Promise<void> {
  const { state, planId = small.id, periodEndsAt = Date.now() + 20 * dayMs, cancelsAt, cardExpires, endedAt } = columns;
  const db = await site.database();
  await db
    .prepare(
      `insert or replace into subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, card_brand, card_last4,
        card_expires, started_at, period_ends_at, cancels_at, ended_at, synced_at)
      select 'sub_told', id, ?1, ?2, 'month', ?3, ?4, 'visa', '4242', ?5, 0, ?6, ?7, ?8, 0 from accounts`,
    )
    .bind(
      state,
      planId,
      minor(small),
      product.currency,
      cardExpires ?? null,
      periodEndsAt,
      cancelsAt ?? null,
      endedAt ?? null,
    )
    .run();
}

/** Each text is on the page after the one before it. */
function expectInOrder(...texts: string[]): void {
  let rest = visitor.text();
  for (const text of texts) {
    expect(rest).toContain(text);
    rest = rest.slice(rest.indexOf(text) + text.length);
  }
}

test("a cancelled plan shows at the top until when it runs, with the way to keep it", async () => {
  const cancelsAt = Date.now() + 9 * dayMs;
  await aPlan({ state: "active", periodEndsAt: cancelsAt, cancelsAt });
  await visitor.open(pages.plan);
  expectInOrder(
    endingMessages.en.resume.title(day(cancelsAt)),
    endingMessages.en.resume.button,
    `${small.name} ${messages.endsSoon(day(cancelsAt))}`,
  );
});

test("a card that expires before the next charge is mentioned at the top of the plan page and on the overview", async () => {
  const next = endOfPeriod(Date.now(), "month");
  const cardExpires = new Date().toISOString().slice(0, 7);
  await aPlan({ state: "active", periodEndsAt: next, cardExpires });
  await visitor.open(pages.plan);
  const month = formatMonth(Date.now(), { ...reader, timeZone: "UTC" });
  const { title, text } = planNoticesMessages.en.expiring;
  const button = messages.updateCard;
  expectInOrder(
    title,
    text("Visa •••• 4242", month, price(small), day(next)),
    button,
    `${small.name} ${messages.states.active}`,
  );
  await visitor.open("/settings");
  expectInOrder(overviewMessages.en.attention, title, text("Visa •••• 4242", month, price(small), day(next)), button);
});

test("a card isn't mentioned if nothing will be charged to it", async () => {
  const cancelsAt = endOfPeriod(Date.now(), "month");
  const cardExpires = new Date().toISOString().slice(0, 7);
  await aPlan({ state: "active", periodEndsAt: cancelsAt, cancelsAt, cardExpires });
  await visitor.open(pages.plan);
  expect(visitor.text()).not.toContain(planNoticesMessages.en.expiring.title);
  await visitor.open("/settings");
  expect(visitor.text()).not.toContain(overviewMessages.en.attention);
});

test("a plan that would end immediately is ended only in a dialog, which says what is lost", async () => {
  await aPlan({ state: "past-due-grace" });
  await visitor.open(pages.plan);
  const [dialog = ""] = /<dialog[^>]*>.*?<\/dialog>/s.exec(visitor.html) ?? [];
  expect(dialog).toContain('value="cancel"');
  expect(visitor.html.split('value="cancel"')).toHaveLength(2);
  expectInOrder(
    endingMessages.en.endNow.open,
    endingMessages.en.endNow.dialog(small.name),
    endingMessages.en.endNow.warning(small.name, free.name),
  );
});

test("while a payment is due, the plan's next payment and the card's expiry aren't mentioned", async () => {
  await aPlan({ state: "active" });
  await visitor.open(pages.plan);
  expect(visitor.text()).toContain(messages.next);
  await aPlan({ state: "past-due-grace" });
  await visitor.open(pages.plan);
  expect(visitor.text()).not.toContain(messages.next);
});

test("the plan page says what happens to the data before a plan is cancelled or ended", async () => {
  await aPlan({ state: "active" });
  await visitor.open(pages.plan);
  expectInOrder(endingMessages.en.cancel.title, beforeDay, endingMessages.en.cancel.button);
  await aPlan({ state: "past-due-grace" });
  await visitor.open(pages.plan);
  expectInOrder(endingMessages.en.endNow.text(free.name), beforeDay, endingMessages.en.endNow.open);
  expectInOrder(endingMessages.en.endNow.warning(small.name, free.name), beforeDay, endingMessages.en.endNow.button);
  await aPlan({ state: "active" });
  await visitor.open(`/settings/upgrade?plan=${free.id}&interval=month`);
  expectInOrder(`${changeMessages.en.data} ${beforeDay}`, beginningOf(changeMessages.en.submitEnd(free.name, gap)));
});

test.each([
  ["declared", true],
  ["acknowledged", true],
  ["refunded", false],
  ["contested", false],
] as const)(
  "a withdrawal that is %s is shown first while its plan is active, then among the facts: %s",
  async (state, isShown) => {
    const declaredAt = Date.now() - 2 * dayMs;
    const db = await site.database();
    await db
      .prepare(
        `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at, paid_at,
        number_year, number_in_year)
      select 'ord_told', id, 'paid', 'new-plan', ?1, 'month', ?2, ?3, ?4, ?4, ?4, 2026, 1 from accounts`,
      )
      .bind(small.id, product.currency, minor(small), declaredAt)
      .run();
    await db
      .prepare(
        `insert into withdrawals (id, order_id, state, name, order_typed, email, declared_at, declared_by)
      values ('wdr_told', 'ord_told', ?1, 'N', '2026-000001', 'notices@example.com', ?2, 'owner')`,
      )
      .bind(state, declaredAt)
      .run();
    const { withdrawal, withdrawalText } = overviewPlanMessages.en;
    const dueAt = refundDueAt({ state: "declared", declaredAt }, product) ?? 0;
    const ofPlan = planMessages.en.withdrawal;
    // The plan that it is from has a card of its own about it; afterwards it is one of the facts.
    await aPlan({ state: "active" });
    await visitor.open(pages.plan);
    for (const text of [ofPlan.title, ofPlan.text, ofPlan.status, withdrawalText(day(declaredAt), day(dueAt - 1))])
      expect(visitor.text().includes(text)).toBe(isShown);
    expect(visitor.text().includes(planMessages.en.next)).toBe(!isShown);
    expect(visitor.html.includes('href="/settings/orders/ord_told"')).toBe(true);
    expect(visitor.headers.get("Server-Timing")).toBe('d1;desc="2", d1-in-a-row;desc="1"');
    await visitor.open("/settings/upgrade");
    expect(visitor.text().includes(upgradeMessages.en.withdrawn.title)).toBe(isShown);
    expect(visitor.text().includes(upgradeMessages.en.change(free.name))).toBe(!isShown);
    // An old tab or a bookmark leads to the review of a change: nothing can be confirmed there, or posted.
    await visitor.open(`/settings/upgrade?plan=${large.id}&interval=month`);
    expect(visitor.html.includes('value="confirm"')).toBe(false);
    await visitor.post({ intent: "confirm", plan: large.id, interval: "month", quote: "" }, "/settings/upgrade");
    const refused = visitor.text().includes(offerRefusalMessages.en.refusals["plan-withdrawn"]);
    expect([visitor.status === 409 && refused, isShown]).toEqual([isShown, isShown]);
    // Others can know an order's number and declare it: that changes nothing, and the page says what to do.
    await db.prepare("update withdrawals set declared_by = 'anyone'").run();
    await visitor.open(pages.plan);
    expect(visitor.text()).not.toContain(ofPlan.title);
    const byAnyone = fillGaps(overviewPlanMessages.en.withdrawalByAnyone(day(declaredAt), gap, product.support));
    expect(byAnyone.test(visitor.text())).toBe(isShown);
    await db.prepare("update withdrawals set declared_by = 'owner'").run();
    // Cancelled as well, for the case that the withdrawal can't be accepted: that can be undone.
    await aPlan({ state: "active", cancelsAt: Date.now() + 20 * dayMs });
    await visitor.open(pages.plan);
    const { titleWithdrawn, buttonWithdrawn } = endingMessages.en.resume;
    for (const text of [titleWithdrawn, buttonWithdrawn]) expect(visitor.text().includes(text)).toBe(isShown);
    expect(visitor.html).toContain('value="resume"');
    await aPlan({ state: "ended", endedAt: Date.now() });
    await visitor.open(pages.plan);
    expect(visitor.text().includes(`${withdrawal} ${withdrawalText(day(declaredAt), day(dueAt - 1))}`)).toBe(isShown);
    const { withdrawalLink } = overviewPlanMessages.en;
    expect(pattern`href="/settings/orders/ord_told"[^>]*>${withdrawalLink}<`.test(visitor.html)).toBe(isShown);
  },
);

test("a first purchase can be switched between monthly and yearly on the confirmation page", async () => {
  await visitor.open(`/settings/upgrade?plan=${small.id}&interval=month`);
  expect(visitor.html).toContain(`href="/settings/upgrade?plan=${small.id}&amp;interval=year"`);
  expect(visitor.text()).toContain(
    upgradeMessages.en.confirm.submit(small.name, price(small), upgradeMessages.en.perMonth),
  );
});

test("a cancellation reason is refused for its field or for its state, and nothing typed is lost", async () => {
  await aPlan({ state: "active" });
  await visitor.post({ intent: "give-reason", reason: "unused", comment: "" }, pages.plan);
  expect([visitor.status, visitor.text()]).toEqual([
    409,
    expect.stringContaining(planRefusalMessages.en["nothing-cancelled"]),
  ]);
  await aPlan({ state: "active", cancelsAt: Date.now() + 9 * dayMs });
  const comment = "x".repeat(commentLengthMax + 1);
  await visitor.post({ intent: "give-reason", reason: "unused", comment }, pages.plan);
  expect([visitor.status, visitor.text()]).toEqual([
    422,
    expect.stringContaining(reasonProblemMessages.en["comment-too-long"]),
  ]);
  expect(visitor.html).toContain(comment);
  await visitor.post({ intent: "give-reason", reason: "unused", comment: "One\r\ntwo" }, pages.plan);
  expect(visitor.text()).toContain(flashMessages.en["reason-given"]);
  const { results } = await (await site.database()).prepare("select reason, comment from cancellation_reasons").all();
  expect(results).toEqual([{ reason: "unused", comment: "One\ntwo" }]);
});

test("after a plan has ended, the page names the current one", async () => {
  const endedAt = Date.now() - 90 * dayMs;
  await aPlan({ state: "ended", endedAt });
  await visitor.open(pages.plan);
  expectInOrder(planAheadMessages.en.ended.other(small.name, day(endedAt)), product.freeHint);
  expect(visitor.text()).not.toContain(beforeDay);
});

test("while the data that no longer fits is there, the page says until when", async () => {
  const endedAt = Date.now() - 2 * dayMs;
  await aPlan({ state: "ended", endedAt });
  await visitor.open(pages.plan);
  expectInOrder(
    planAheadMessages.en.ended.other(small.name, day(endedAt)),
    asShown(dataSentence(product, endedAt, product) ?? "no sentence"),
  );
});

test.each([
  {
    state: "failed",
    title: firstPaymentMessages.en.declined.title(small.name),
    primary: firstPaymentMessages.en.declined.link,
  },
  {
    state: "needs-action",
    title: firstPaymentMessages.en.confirming.title(small.name),
    primary: firstPaymentMessages.en.confirming.link,
  },
  { state: "processing", title: firstPaymentMessages.en.starting.title(small.name, price(small)), primary: null },
])("the next step of a first payment that is $state is the page's main action", async ({ state, title, primary }) => {
  const db = await site.database();
  await db
    .prepare(
      `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at)
      select 'ord_told', id, ?1, 'new-plan', ?2, 'month', ?3, ?4, ?5, ?5 from accounts`,
    )
    .bind(state, small.id, product.currency, minor(small), Date.now())
    .run();
  await visitor.open(pages.plan);
  // No plan is offered while a bank processes the payment for one.
  if (primary === null) expect(visitor.text()).not.toContain(messages.free.upgrade);
  else expectInOrder(title, messages.free.upgrade);
  const main = [...visitor.html.matchAll(/<a class="button button-primary[^>]*>(.*?)<\/a>/gs)].map(([, inside = ""]) =>
    inside.replace(/<[^>]+>/g, ""),
  );
  expect(main).toEqual(primary === null ? [] : [primary]);
  await visitor.open("/settings");
  expect(visitor.text()).toContain(title);
  expect(visitor.text()).not.toContain(overviewPlanMessages.en.free);
  // The landing page starts no plan whose debit is processing.
  await visitor.open("/");
  const { chip } = underWayMessages.en;
  expect([visitor.text().includes(chip), visitor.html.includes('href="/payment/processing?order=ord_told"')]).toEqual(
    primary === null ? [true, true] : [false, false],
  );
  expect(visitor.text().includes(beginningOf(landingMessages.en.plans.choose(small.name, gap, gap)))).toBe(
    primary !== null,
  );
});

test("a first purchase names the day of the next charge", async () => {
  await visitor.open(`/settings/upgrade?plan=${small.id}&interval=year`);
  const { confirm, perYear } = upgradeMessages.en;
  const then = day(endOfPeriod(Date.now(), "year"));
  expect(visitor.text()).toContain(confirm.thenText(price(small, "year"), perYear, then));
});

test("a plan that is no longer sold says so, and what leaving it means, also once it is cancelled", async () => {
  await aPlan({ state: "active", planId: former.id });
  await visitor.open(pages.plan);
  expectInOrder(messages.retired, planNoticesMessages.en.retired.text);
  await aPlan({ state: "active", planId: former.id, cancelsAt: Date.now() + 20 * dayMs });
  expect((await visitor.open(pages.plan)).text()).toContain(planNoticesMessages.en.retired.textEnding);
  await aPlan({ state: "active" });
  expect((await visitor.open(pages.plan)).text()).not.toContain(messages.retired);
});

test("a paused plan that is no longer sold leads to the plans that are", async () => {
  await aPlan({ state: "paused", planId: former.id });
  await visitor.open(pages.plan);
  expectInOrder(planNoticesMessages.en.paused.title(former.name), messages.free.upgrade);
  expect(visitor.html).not.toContain(`plan=${former.id}`);
});

test("a device of a plan that is no longer sold gets that plan's limits, though it sends no cookie", async () => {
  await aPlan({ state: "active", planId: former.id });
  const { deviceToken } = await activateDevice(site, await licenceKeyOf(visitor), "Workshop");
  const answer = await site.fetch("/api/v1/entitlement", { headers: { Authorization: `Bearer ${deviceToken}` } });
  const { token } = (await answer.json()) as { token: string };
  expect(decodeJwt(token)).toMatchObject({ plan: former.id, limits: former.limits });
});
