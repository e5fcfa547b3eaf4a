import { features, gatePages } from "#app/features.ts";
import { expect, test } from "vitest";
import { planNameMessages } from "#app/modules/catalogue/plan-names.messages.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import type { Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { product } from "#app/product/config.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import { large, pages, small } from "#tests/support/billing/catalogue.ts";
import { sampleOrder } from "#tests/support/billing/sample-order.ts";
import { planMessages } from "../plan/messages.ts";
import { unconfirmedMessages, firstPaymentMessages } from "../messages.ts";
import { overviewPlanMessages } from "./plan.messages.ts";
import { planFacts } from "./plan-facts.ts";

const now = Date.UTC(2026, 10, 20, 12);
const account: Account = {
  id: "acc_1",
  state: "active",
  email: "mara@example.com",
  name: null,
  locale: "en-GB",
  timeZone: "UTC",
  createdAt: 0,
  restorableUntil: null,
  emailsOff: [],
};
const active: Subscription = {
  id: "sub_1",
  state: "active",
  planId: small.id,
  interval: "month",
  amountMinor: 600,
  currency: "EUR",
  cardBrand: "visa",
  cardLast4: "4242",
  cardExpires: "2030-12",
  collection: "automatic",
  pendingPlanId: null,
  pendingInterval: null,
  pendingAt: null,
  pendingMinor: null,
  startedAt: 0,
  periodEndsAt: now + 9 * dayMs,
  cancelsAt: null,
  endsByNotice: false,
  pastDueSince: null,
  endedAt: null,
  comingMinor: null,
  comingAt: null,
  renewalMinor: null,
  pauseCause: null,
  trialEndsAt: null,
  endCause: null,
  refundOwedMinor: 0,
};
const pastDue: Subscription = { ...active, state: "past-due-grace", pastDueSince: now - dayMs };

const facts = (planState: Partial<Parameters<typeof planFacts>[2]>) =>
  planFacts(product, account, {
    running: null,
    next: null,
    unconfirmed: null,
    open: null,
    creditMinor: 0,
    isWithdrawn: false,
    declaredEnd: null,
    renewal: null,
    disputed: null,
    ended: null,
    now,
    queued: null,
    isSecond: false,
    ...planState,
  });
const money = (amountMinor: number) => formatMoney({ amountMinor, currency: "EUR" }, account.locale);
const next = { amountMinor: 600, creditMinor: 0, carriedMinor: 0, currency: "EUR", at: active.periodEndsAt };

test.each([
  ["a first payment", { running: null }, "new-plan"],
  ["a renewal that is tried again", { running: pastDue }, "renewal"],
  ["a change", { running: active }, "change"],
] as const)("the plan's facts say that %s is being confirmed, and mention nothing due", (_what, planState, kind) => {
  const unconfirmed = sampleOrder({ kind, state: "pending", isUnconfirmed: true });
  expect(facts({ ...planState, unconfirmed })).toEqual({
    title: unconfirmedMessages.en.titleFor(small.name),
    status: null,
    price: null,
    text: unconfirmedMessages.en.text,
    details: [],
    link: { text: unconfirmedMessages.en.link, to: `/payment/processing?order=${unconfirmed.id}`, kind: "quiet" },
  });
});

test("the plan's facts say that a cancellation was declared, and where to take it back, until the plan ends", () => {
  const declaredEnd = { endsOn: "2027-03-10", declaredAt: now };
  const shown = (running: Subscription) =>
    facts({ running, next, declaredEnd }).details.find(({ to }) => to === "/cancel");
  expect(shown(active)?.value).toContain("2027");
  expect(facts({ running: active, next, declaredEnd: { ...declaredEnd, endsOn: null } }).details).toMatchObject([
    { to: "/cancel" },
  ]);
  expect(shown({ ...active, cancelsAt: active.periodEndsAt })).toBeUndefined();
});

test("the plan's facts lead to a first payment whose debit is processing", () => {
  const open = sampleOrder({ kind: "new-plan", state: "processing" });
  const { title, link } = facts({ open });
  expect(title).toBe(firstPaymentMessages.en.starting.title(small.name, money(open.amountMinor)));
  expect(link).toEqual({
    text: firstPaymentMessages.en.starting.link,
    to: `/payment/processing?order=${open.id}`,
    kind: "quiet",
  });
});

test.each(["draft", "failed", "needs-action"] as const)(
  "a choice that isn't paid (%s), or a change of a running plan, leaves the plan as it is",
  (state) => {
    const { en: messages } = overviewPlanMessages;
    const text = state === "draft" ? messages.free : messages.freeForNow;
    expect(facts({ open: sampleOrder({ state }) })).toEqual({ ...facts({}), text });
    const change = sampleOrder({ kind: "change", state });
    expect(facts({ running: active, next, open: change })).toEqual(facts({ running: active, next }));
  },
);

const { onDay, today } = overviewPlanMessages.en;

test("a renewal later today is said to be today", () => {
  const { text } = facts({ running: active, next: { ...next, at: now } });
  expect(text).toBe(overviewPlanMessages.en.renews(money(600), today, "Visa ••••\u00a04242"));
});

test("a disputed payment and a plan that ended are mentioned, whatever plan runs", () => {
  const disputed = sampleOrder({ dispute: "needs-response", paidAt: now - 3 * dayMs });
  const value = overviewPlanMessages.en.disputedText(money(disputed.amountMinor), formatDay(now - 3 * dayMs, account));
  const row = { label: overviewPlanMessages.en.disputed, value, to: `/settings/orders/${disputed.id}` };
  expect(facts({ running: active, next, disputed }).details).toEqual([row]);
  expect(facts({ disputed, ended: "It ended." })).toMatchObject({ details: [row], text: "It ended." });
});

test("a running plan is shown with name, state, price, next payment with its card, and credit", () => {
  expect(facts({ running: active, next, creditMinor: 150 })).toEqual({
    title: small.name,
    status: { text: planMessages.en.states.active, tone: "good" },
    price: `${money(600)} ${planMessages.en.per.month}`,
    text: overviewPlanMessages.en.renews(
      money(600),
      onDay(formatDay(active.periodEndsAt, account)),
      "Visa ••••\u00a04242",
    ),
    details: [{ label: planMessages.en.credit, value: planMessages.en.creditText(money(150)) }],
    link: { text: overviewPlanMessages.en.manage, to: pages.plan, kind: "quiet" },
  });
});

test.each([
  ["an overdue one", pastDue, "bad"],
  ["one that ends", { ...active, cancelsAt: active.periodEndsAt }, "attention"],
  ["one that changes", { ...active, pendingPlanId: large.id, pendingInterval: "month", pendingAt: 1 }, "waiting"],
  ["a paused one", { ...active, state: "paused" }, "attention"],
] as const)("the plan's facts distinguish %s", (_what, running, tone) => {
  expect(facts({ running, next: null }).status?.tone).toBe(tone);
});

test("an overdue plan whose payment only has to be confirmed hasn't failed, unless it is locked", () => {
  const statusOf = (running: Subscription) =>
    facts({ running, renewal: sampleOrder({ kind: "renewal", state: "needs-action" }) }).status;
  expect(statusOf(pastDue)).toEqual({ text: planMessages.en.toConfirm, tone: "attention" });
  expect(statusOf({ ...pastDue, state: "past-due-locked" })?.tone).toBe("bad");
});

test("a plan about which nothing is stored any more has no name in the middle of a sentence", () => {
  const changing = { pendingPlanId: "plan-of-old", pendingInterval: "month", pendingAt: active.periodEndsAt } as const;
  const { text } = facts({ running: { ...active, ...changing }, next });
  expect(text).toContain(` ${planNameMessages.en.unknownInText} `);
});

test("a change of plan and a change of billing period, scheduled for the next payment, have different sentences", () => {
  const charge = [money(600), formatDay(next.at, account)] as const;
  const texts = overviewPlanMessages.en;
  const scheduled = { ...active, pendingInterval: "year", pendingAt: next.at } as const;
  expect(facts({ running: { ...scheduled, pendingPlanId: large.id }, next }).text).toBe(
    texts.changes(large.name, ...charge),
  );
  expect(facts({ running: { ...scheduled, pendingPlanId: small.id }, next }).text).toBe(
    texts.changesInterval.year(...charge),
  );
});

test.runIf(features.some(({ gate }) => gate))(
  "what the account waits for is linked beside any plan, and an invitation is called one",
  () => {
    const { invited } = overviewPlanMessages.en;
    const { path, messages } = gatePages();
    const { label, waits } = messages.en.overview;
    const item = (value: string) => ({ label, value, to: path });
    for (const running of [null, active]) {
      expect(facts({ running, next, queued: { what: "A", isInvited: false } }).details).toContainEqual(
        item(waits("A")),
      );
      expect(facts({ running, next, queued: { what: "A", isInvited: true } }).details).toContainEqual(
        item(invited("A")),
      );
    }
  },
);
