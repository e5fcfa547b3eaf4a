import { expect, test } from "vitest";
import { planNameMessages } from "#app/modules/catalogue/plan-names.messages.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import type { Subscription } from "#app/modules/subscriptions/rules.ts";
import { product } from "#app/product/config.ts";
import { dayMs } from "#app/core/time/time.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { sampleOrder } from "#tests/support/billing/sample-order.ts";
import { planMessages } from "../plan/messages.ts";
import { unconfirmedMessages } from "../unconfirmed.messages.ts";
import { planFacts } from "./plan-facts.ts";

const now = Date.UTC(2026, 10, 20, 12);
const account: Account = {
  id: "acc_1",
  state: "active",
  email: "mara@example.com",
  name: null,
  locale: "en",
  timeZone: "UTC",
  createdAt: 0,
  leavingUntil: null,
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
  startedAt: 0,
  periodEndsAt: now + 9 * dayMs,
  cancelsAt: null,
  pastDueSince: null,
  endedAt: null,
  comingMinor: null,
  comingAt: null,
  renewalMinor: null,
};
const pastDue: Subscription = { ...active, state: "past-due-grace", pastDueSince: now - dayMs };

const facts = (planState: Partial<Parameters<typeof planFacts>[2]>) =>
  planFacts(product, account, { running: null, unconfirmed: null, open: null, creditMinor: 0, now, ...planState });

test.each([
  ["a first payment", { running: null }, "new-plan"],
  ["a renewal that is tried again", { running: pastDue }, "renewal"],
  ["a change", { running: active }, "change"],
] as const)("says that %s is being confirmed, and nothing of what is due", (_what, planState, kind) => {
  const unconfirmed = sampleOrder({ kind, state: "pending", isUnconfirmed: true });
  expect(facts({ ...planState, unconfirmed })).toEqual({
    title: unconfirmedMessages.en.titleFor(small.name),
    texts: [unconfirmedMessages.en.text],
    tone: "plain",
    link: { text: unconfirmedMessages.en.link, to: `/payment/processing?order=${unconfirmed.id}`, kind: "quiet" },
    isDue: false,
    runningName: planState.running && small.name,
  });
  expect(facts(planState).isDue).toBe(kind === "renewal");
});

test.each([
  [
    "a declined first payment",
    { state: "failed", failure: "declined" },
    planMessages.en.declined,
    "failed",
    "attention",
  ],
  ["one that waits for its owner", { state: "needs-action" }, planMessages.en.unfinished, "action", "attention"],
  ["one whose debit is processing", { state: "processing" }, planMessages.en.starting, "processing", "plain"],
] as const)("leads to %s, and says nothing of free plans", (_what, state, messages, path, tone) => {
  const open = sampleOrder({ kind: "new-plan", ...state });
  const { title, texts, link, ...rest } = facts({ open });
  expect(title).toBe(messages.title(small.name));
  expect(texts.join()).not.toContain("Nothing to pay");
  expect(link).toMatchObject({ text: messages.link, to: `/payment/${path}?order=${open.id}` });
  expect(rest).toEqual({ tone, isDue: false, runningName: null });
});

test("a choice that never got to the payment page, or a change of a running plan, leaves the plan as it is", () => {
  expect(facts({ open: sampleOrder({ state: "draft" }) })).toEqual(facts({}));
  const change = sampleOrder({ kind: "change", state: "failed" });
  expect(facts({ running: active, open: change })).toEqual(facts({ running: active }));
});

test("a plan of which nothing is known any more has no name in the middle of a sentence", () => {
  const { texts } = facts({ running: { ...active, planId: "plan-of-old" } });
  expect(texts[0]).toContain(` ${planNameMessages.en.unknownInText}.`);
});
