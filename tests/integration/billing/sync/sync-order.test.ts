import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { App, Billing } from "#app/app.ts";
import { done } from "#app/core/result.ts";
import { noBilling } from "#tests/support/billing/no-billing.ts";
import {
  openBillingHarness,
  type Photograph,
  photograph,
  putBack,
  type Row,
  type BillingHarness,
} from "#tests/support/billing/billing-harness.ts";

/**
 * The final state doesn't depend on the order of syncs. A story is played once against the Stripe emulator, and what
 * Stripe says of the customer is recorded after each of its steps. Then syncs that read at those moments write in
 * every possible order, as they do when events are late, duplicated, reordered or lost: the rows must end as in the
 * true order.
 */
type Step = (harness: BillingHarness) => Promise<unknown>;
type Story = {
  begin: Step;
  steps: Step[];
  /** What the Stripe emulator can't be made to say. */
  retouch?: (answers: Billing[]) => void;
  /** Emailed only if a sync ran while it was so, beside what always is. */
  passing?: RegExp;
};

const newestInvoice = async (harness: BillingHarness) => (await harness.record()).invoices[0]?.id;
const urlOf = async (harness: BillingHarness) => String((await harness.rows()).orders.at(-1)?.checkout_url);
const leave = (outcome: Parameters<BillingHarness["leaveCheckout"]>[1]) => async (harness: BillingHarness) =>
  harness.leaveCheckout(await urlOf(harness), outcome);
const choose: Step = (harness) => harness.choose();
const paidPlan: Step = async (harness) => {
  await harness.buy();
  await harness.reconcile();
};
/** What the sync of that moment changes at the provider. */
const end: Step = async (harness) => {
  const [subscription] = (await harness.record()).subscriptions;
  await harness.payments.endSubscription(subscription?.id ?? "sub_");
};
const refund =
  (amountMinor?: number): Step =>
  async (harness) =>
    harness.control("refund", { order: await newestInvoice(harness), amountMinor });
const dispute =
  (outcome?: "won" | "lost"): Step =>
  async (harness) =>
    harness.control("dispute", { order: await newestInvoice(harness), outcome });
const pass =
  (days: number): Step =>
  (harness) =>
    harness.pass(days);

const stories: Record<string, Story> = {
  "a purchase by card": { begin: choose, steps: [pass(0), leave("paid")] },
  "a card that is declined, and another that isn't": { begin: choose, steps: [leave("declined"), leave("paid")] },
  "a bank that asks its holder first": { begin: choose, steps: [leave("action"), leave("paid")] },
  "a bank debit that arrives": { begin: choose, steps: [leave("processing"), leave("paid")] },
  "a bank debit that fails": { begin: choose, steps: [leave("processing"), leave("declined"), end] },
  "a checkout that runs out": { begin: choose, steps: [pass(0), leave("expired")] },
  "a purchase that is given back at once": { begin: choose, steps: [leave("paid"), refund(), end] },
  "refunds, part by part": { begin: paidPlan, steps: [refund(100), refund(200), refund(300), end] },
  "a refund that the bank sends back": {
    begin: paidPlan,
    steps: [refund(200), pass(0)],
    passing: /emailed (re_|credit-note)|\.(refund|credit-note)\./,
    retouch: ([, last]) => {
      for (const charge of last?.charges ?? []) {
        charge.refundedMinor = 0;
        charge.refunds = charge.refunds.map((given) => ({ ...given, state: "failed" }));
      }
    },
  },
  "a dispute that is won": { begin: paidPlan, steps: [dispute(), dispute("won")] },
  "a dispute that is lost": { begin: paidPlan, steps: [dispute(), dispute("lost"), end] },
  renewals: { begin: paidPlan, steps: [pass(31.5), pass(31)] },
  "a renewal that fails twice and is paid": {
    begin: async (harness) => {
      await paidPlan(harness);
      await harness.useCard("pm_card_chargeCustomerFail");
    },
    steps: [
      pass(31.5),
      pass(2.1),
      async (harness) => {
        await harness.useCard("pm_card_visa");
        await harness.stripe.invoices.pay((await newestInvoice(harness)) ?? "");
      },
    ],
  },
  "a plan that is cancelled, had back and cancelled again": {
    begin: paidPlan,
    steps: [true, false, true].map((cancels) => async (harness) => {
      const [subscription] = (await harness.record()).subscriptions;
      await harness.payments.changeCancellation(subscription?.id ?? "sub_", cancels);
    }),
  },
};

/** A story that was played, and the site as it would sync at each of its moments. */
type Played = { harness: BillingHarness; begun: Photograph; count: number; at: (moment: number) => App };

async function play({ begin, steps, retouch }: Story): Promise<Played> {
  const harness = await openBillingHarness();
  await begin(harness);
  const begun = await photograph();
  const answers: Billing[] = [];
  for (const step of steps) {
    await step(harness);
    answers.push(await harness.record());
  }
  retouch?.(answers);
  const endedAt = answers.at(-1)?.subscriptions.find((subscription) => subscription.endedAt !== null)?.endedAt ?? 0;
  const now = harness.app.clock();
  const at = (moment: number): App => ({
    ...harness.app,
    clock: () => now,
    // Which of two answers is newer depends on when they were requested.
    wallClock: () => now + moment,
    payments: {
      ...harness.payments,
      fetchBilling: async () => done(structuredClone(answers[moment] ?? noBilling)),
      endSubscription: async () => done(endedAt),
    },
  });
  return { harness, begun, count: answers.length, at };
}

/** The stored state, without the times of syncs and without URLs of invoices, which Stripe changes each time. */
async function finalState(harness: BillingHarness) {
  const { orders, lines, subscriptions, customers } = await harness.rows();
  const without = (rows: Row[]) =>
    rows.map(({ synced_at: _synced, asked_at: _asked, updated_at: _updated, receipt_url: _url, ...facts }) => facts);
  return { orders: without(orders), lines, subscriptions: without(subscriptions), customers: without(customers) };
}

/** Everything that was logged or emailed, by name; an email about a step of a plan by its kind. */
async function notices(harness: BillingHarness): Promise<string[]> {
  const { historyEvents, emails } = await harness.rows();
  return [
    ...historyEvents.map(({ order_id: order, what, occurrence }) => `${order}: ${what} ${occurrence}`),
    ...emails.map(({ id, template }) => (/\.\w/.test(String(id)) ? `mail ${id}` : `mail about a plan: ${template}`)),
  ].toSorted();
}

/** What is emailed only if a sync ran while it was so. */
const isPassing = (line: string) =>
  /: (pending|processing|failed|needs-action) |: emailed (processing|failed|needs-action)|\.(processing|failed|needs-action|ended)|about a plan/.test(
    line,
  );

async function putBackTo({ begun, harness }: Played) {
  harness.reports.length = 0;
  await putBack(begun);
}

/** One sync after the other, each with what was true when it read. */
async function oneByOne(played: Played, moments: number[]) {
  await putBackTo(played);
  for (const moment of moments) await played.harness.reconcile(played.at(moment));
}

/** All of them read before any of them writes; then they write in this order. */
async function crossing(played: Played, moments: number[]) {
  await putBackTo(played);
  const syncs = moments.map((moment) => {
    let write: () => void = () => undefined;
    let hasRead: () => void = () => undefined;
    const mayWrite = new Promise<void>((resolve) => (write = resolve));
    const read = new Promise<void>((resolve) => (hasRead = resolve));
    let batches = 0;
    const { db, ...app } = played.at(moment);
    const batch: App["db"]["batch"] = async (statements) => {
      batches += 1;
      if (batches === 3) {
        hasRead();
        await mayWrite;
      }
      return db.batch(statements);
    };
    const own = { ...app, db: Object.assign(Object.create(db) as App["db"], { batch }) };
    return { read, write, ended: played.harness.reconcile(own) };
  });
  await Promise.all(syncs.map(({ read }) => read));
  for (const { write, ended } of syncs) {
    write();
    await ended;
  }
}

function permutations<Item>(items: Item[]): Item[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

describe.each(Object.entries(stories))("%s", (_name, story) => {
  let played: Played;
  let inOrder: number[];
  let final: Awaited<ReturnType<typeof finalState>>;
  let everything: string[];

  beforeAll(async () => {
    played = await play(story);
    inOrder = Array.from({ length: played.count }, (_, moment) => moment);
    await oneByOne(played, inOrder);
    final = await finalState(played.harness);
    everything = await notices(played.harness);
  });

  async function expectSameEnd(moments: number[]) {
    expect([moments, await finalState(played.harness)]).toEqual([moments, final]);
    const lines = await notices(played.harness);
    // An older answer may issue a credit note that the newest one wouldn't: its email is its own.
    const added = lines.filter((line) => !everything.includes(line) && !story.passing?.test(line));
    expect([moments, added]).toEqual([moments, []]);
    const lasting = everything.filter((line) => !isPassing(line) && !story.passing?.test(line));
    expect([moments, lasting.filter((line) => !lines.includes(line))]).toEqual([moments, []]);
    const counted = lines.filter((line) => !story.passing?.test(line));
    expect([moments, counted.length <= everything.length]).toEqual([moments, true]);
  }

  test("ends the same for any order of its syncs", async () => {
    for (const moments of permutations(inOrder)) {
      await oneByOne(played, moments);
      await expectSameEnd(moments);
    }
  });

  test("ends the same for overlapping syncs that all read, then write in any order", async () => {
    for (const moments of permutations(inOrder)) {
      await crossing(played, moments);
      await expectSameEnd(moments);
    }
  });

  test("ends the same if any sync is repeated or missing, as long as one runs at the end", async () => {
    const last = played.count - 1;
    const moment = fc.integer({ min: 0, max: last });
    const some = fc.tuple(fc.array(moment, { maxLength: 6 }), fc.array(moment, { maxLength: 3 }));
    const property = fc.asyncProperty(some, fc.boolean(), async ([before, after], isCrossing) => {
      const moments = [...before, last, ...after];
      await (isCrossing ? crossing : oneByOne)(played, moments);
      await expectSameEnd(moments);
    });
    await fc.assert(property, { numRuns: 12 });
  });
});
