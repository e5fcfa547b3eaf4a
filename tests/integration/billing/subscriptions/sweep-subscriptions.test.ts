import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { App } from "#app/app.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import type { Plan } from "#app/modules/catalogue/rules.ts";
import { sweepSubscriptions } from "#app/modules/billing/subscriptions/commands/sweep-subscriptions.server.ts";
import { product } from "#app/product/config.ts";
import { amount, large, minor, price, small } from "#tests/support/billing/catalogue.ts";
import { killedAtBatch } from "#tests/support/database/killed-worker.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";
import { emailOf, subjectOf } from "#tests/support/clients/email-texts.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";

/** An account with a paid plan, whose row the test then changes as it needs. */
async function aSubscriber(interval: "month" | "year" = "year") {
  const harness = await openBillingHarness();
  await harness.buy(small.id, interval);
  await harness.reconcile();
  await harness.app.settled();
  const [subscription] = (await harness.rows()).subscriptions;
  return {
    harness,
    subscription: { id: String(subscription?.id), periodEndsAt: Number(subscription?.period_ends_at) },
  };
}

const change = (harness: BillingHarness, columns: string) =>
  env.DB.prepare(`update subscriptions set ${columns} where account_id = ?`).bind(harness.accountId).run();

/** Runs the cron job at this time. */
async function runCron(harness: BillingHarness, at: number, overrides: Partial<App> = {}) {
  await sweepSubscriptions({ ...harness.app, clock: () => at, ...overrides });
  await harness.app.settled();
}

/** The queued emails except for the receipt, by the name of their cause. */
async function emailKeys(harness: BillingHarness): Promise<string[]> {
  const { emails } = await harness.rows();
  return emails.filter(({ template }) => template !== "receipt").map(({ id }) => String(id));
}

const textOf = (harness: BillingHarness, subject: RegExp) =>
  harness.app.emails.find((email) => subject.test(email.subject))?.text ?? "";

/** The sentence that announces a renewal. */
function noticeOf(plan: Plan, nextCharge: string, due: string): string {
  const facts = {
    what: `${product.name} ${plan.name}`,
    nextCharge,
    amount: due,
    hasMonthNotice: false,
    url: "",
    offUrl: "",
  };
  const [sentence = ""] = emailOf({ template: "renewal-notice", ...facts }).before;
  return sentence;
}

describe("a plan whose renewal stays unpaid", () => {
  const since = Date.UTC(2026, 10, 1);
  const until = since + 14 * dayMs;

  async function aDebtor() {
    const { harness, subscription } = await aSubscriber("month");
    await change(harness, `state = 'past-due-grace', past_due_since = ${since}`);
    return { harness, subscription };
  }
  const stateOf = async (harness: BillingHarness) => (await harness.rows()).subscriptions.map(({ state }) => state);

  test("is locked fourteen days after it was due, exact to the millisecond, with one email", async () => {
    const { harness, subscription } = await aDebtor();
    await runCron(harness, until - 1);
    expect(await stateOf(harness)).toEqual(["past-due-grace"]);
    await Promise.all([runCron(harness, until), runCron(harness, until), runCron(harness, until)]);
    await runCron(harness, until + dayMs);
    expect(await stateOf(harness)).toEqual(["past-due-locked"]);
    expect(await emailKeys(harness)).toEqual([`mail_${subscription.id}.locked.${since}`]);
    const [reason] = emailOf({ template: "plan-locked", what: `${product.name} ${small.name}`, url: "" }).before;
    expect(textOf(harness, subjectOf("plan-locked"))).toContain(reason);
  });

  test("is emailed once, even if a sync that read before the lock writes after it", async () => {
    const { harness } = await aDebtor();
    await runCron(harness, until);
    await change(harness, "state = 'past-due-grace'");
    await runCron(harness, until + 1000);
    expect(await stateOf(harness)).toEqual(["past-due-locked"]);
    expect(await emailKeys(harness)).toHaveLength(1);
  });

  test.each(["before", "after"] as const)(
    "is locked by the next run if this one was killed %s the write",
    async (when) => {
      const { harness } = await aDebtor();
      await runCron(harness, until, { db: killedAtBatch(harness.app.db, 1, when) });
      const written = [await stateOf(harness), (await emailKeys(harness)).length];
      expect(written).toEqual(when === "before" ? [["past-due-grace"], 0] : [["past-due-locked"], 1]);
      await runCron(harness, until + 1000);
      expect([await stateOf(harness), (await emailKeys(harness)).length]).toEqual([["past-due-locked"], 1]);
    },
  );

  test("that can't be emailed doesn't prevent another plan from being locked", async () => {
    const { harness } = await aDebtor();
    await env.DB.prepare(
      `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
       values ('acc_bad_' || ?1, 'active', 'bad', 'bad' || ?1, 'en', 'Mars/Olympus', '', 0)`,
    )
      .bind(harness.accountId)
      .run();
    await env.DB.prepare(
      `insert into customers (account_id, provider_id, created_at) values ('acc_bad_' || ?1, 'cus_bad', 0)`,
    )
      .bind(harness.accountId)
      .run();
    await env.DB.prepare(
      `insert into subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, started_at,
         period_ends_at, past_due_since, synced_at)
       values ('sub_0', 'acc_bad_' || ?1, 'past-due-grace', '${small.id}', 'month', 600, 'EUR', 0, 0, 0, 0)`,
    )
      .bind(harness.accountId)
      .run();
    await runCron(harness, until);
    expect(await stateOf(harness)).toEqual(["past-due-locked"]);
    expect(harness.reports).toHaveLength(1);
  });
});

describe("the notice of a yearly renewal", () => {
  test("is sent thirty days before, exact to the millisecond, once for each period", async () => {
    const { harness, subscription } = await aSubscriber();
    const due = subscription.periodEndsAt - 30 * dayMs;
    await runCron(harness, due - 1);
    expect(await emailKeys(harness)).toEqual([]);
    await Promise.all([runCron(harness, due), runCron(harness, due), runCron(harness, due + 1)]);
    await runCron(harness, subscription.periodEndsAt - 1);
    expect(await emailKeys(harness)).toEqual([`mail_${subscription.id}.renewal-notice.${subscription.periodEndsAt}`]);
    const next = subscription.periodEndsAt + 365 * dayMs;
    await change(harness, `period_ends_at = ${next}`);
    await runCron(harness, next - 30 * dayMs);
    expect(await emailKeys(harness)).toHaveLength(2);
  });

  test("is sent as many days before as the config says", async () => {
    const { harness, subscription } = await aSubscriber();
    const own = { ...harness.app, product: { ...harness.app.product, renewalReminderDays: 15 } };
    await sweepSubscriptions({ ...own, clock: () => subscription.periodEndsAt - 15 * dayMs - 1 });
    expect(await emailKeys(harness)).toEqual([]);
    await sweepSubscriptions({ ...own, clock: () => subscription.periodEndsAt - 15 * dayMs });
    expect(await emailKeys(harness)).toHaveLength(1);
  });

  test("names the amount after credit, in the owner's language, and where such emails are switched off", async () => {
    const { harness, subscription } = await aSubscriber();
    await env.DB.prepare("update customers set credit_minor = 1250 where account_id = ?").bind(harness.accountId).run();
    await runCron(harness, subscription.periodEndsAt - dayMs);
    const day = formatDay(subscription.periodEndsAt, { locale: "en", timeZone: "UTC" });
    const text = textOf(harness, subjectOf("renewal-notice"));
    expect(text).toContain(noticeOf(small, day, amount(minor(small, "year") - 1250, "en")));
    expect(text).toContain("/settings/notifications");
  });

  test("is also sent for a plan that ends in a later period, and not for one that ends with this one", async () => {
    const { harness, subscription } = await aSubscriber();
    await change(harness, "cancels_at = period_ends_at");
    await runCron(harness, subscription.periodEndsAt - dayMs);
    expect(await emailKeys(harness)).toEqual([]);
    await change(harness, "cancels_at = period_ends_at + 1");
    await runCron(harness, subscription.periodEndsAt - dayMs);
    expect(await emailKeys(harness)).toHaveLength(1);
  });

  test("is about the plan that begins then, if a change is scheduled", async () => {
    const { harness, subscription } = await aSubscriber();
    await change(harness, `pending_plan_id = '${large.id}', pending_interval = 'month', pending_at = period_ends_at`);
    await runCron(harness, subscription.periodEndsAt - dayMs);
    expect(textOf(harness, subjectOf("renewal-notice"))).toMatch(
      fillGaps(noticeOf(large, gap, price(large, "month", "en"))),
    );
  });

  test.each([
    ["is by the month", "interval = 'month'"],
    ["was cancelled", "cancels_at = period_ends_at"],
    ["is past due", "state = 'past-due-grace', past_due_since = period_ends_at"],
    ["has its charges on hold", "collection = 'on-hold'"],
    ["has ended", "state = 'ended', ended_at = 1"],
    ["is over by now", "period_ends_at = period_ends_at - 604800000"],
  ])("isn't sent for a plan that %s", async (_what, columns) => {
    const { harness, subscription } = await aSubscriber();
    await change(harness, columns);
    await runCron(harness, subscription.periodEndsAt - dayMs);
    expect(await emailKeys(harness)).toEqual([]);
  });

  test("isn't sent to an account that has switched such emails off, and delays no other", async () => {
    const { harness, subscription } = await aSubscriber();
    await env.DB.prepare(`update accounts set emails_off = '["rewards", "renewals"]' where id = ?`)
      .bind(harness.accountId)
      .run();
    await runCron(harness, subscription.periodEndsAt - dayMs);
    expect(await emailKeys(harness)).toEqual([]);
    await env.DB.prepare(`update accounts set emails_off = '["rewards"]' where id = ?`).bind(harness.accountId).run();
    await runCron(harness, subscription.periodEndsAt - dayMs);
    expect(await emailKeys(harness)).toHaveLength(1);
  });

  test.each([
    ["was cancelled", "cancels_at = period_ends_at"],
    ["had its charges put on hold", "collection = 'on-hold'"],
  ])("isn't sent for a plan that %s while the email was written", async (_what, columns) => {
    const { harness, subscription } = await aSubscriber();
    // Between reading what is due and writing the email, which is the only batch.
    const batch: App["db"]["batch"] = async (statements) => {
      await change(harness, columns);
      return harness.app.db.batch(statements);
    };
    const cancels = Object.assign(Object.create(harness.app.db) as App["db"], { batch });
    await runCron(harness, subscription.periodEndsAt - dayMs, { db: cancels });
    expect(await emailKeys(harness)).toEqual([]);
  });
});

/** Those about cards: of a yearly plan's renewal there is one on the same day. */
async function cardKeys(harness: BillingHarness): Promise<string[]> {
  return (await emailKeys(harness)).filter((key) => key.includes(".card-expiring."));
}

describe("a card that will have expired by the next charge", () => {
  test("is announced thirty days before that charge, once for each card and period", async () => {
    const { harness, subscription } = await aSubscriber();
    const [year, month] = new Date(subscription.periodEndsAt - 31 * dayMs).toISOString().split("-");
    await change(harness, `card_brand = 'visa', card_last4 = '4242', card_expires = '${year}-${month}'`);
    const due = subscription.periodEndsAt - 30 * dayMs;
    await runCron(harness, due - 1);
    expect(await cardKeys(harness)).toEqual([]);
    await Promise.all([runCron(harness, due), runCron(harness, due)]);
    await runCron(harness, due + dayMs);
    const name = `mail_${subscription.id}.card-expiring`;
    expect(await cardKeys(harness)).toEqual([`${name}.${year}-${month}.${subscription.periodEndsAt}`]);
    const text = textOf(harness, subjectOf("card-expiring"));
    const valid = new Intl.DateTimeFormat("en", { month: "long", year: "numeric" }).format(
      Date.UTC(Number(year), Number(month) - 1, 15),
    );
    const facts = { what: gap, card: "Visa ••••\u00a04242", expires: valid, nextCharge: gap, url: "" };
    const [expiry = ""] = emailOf({ template: "card-expiring", ...facts }).before;
    expect(text).toMatch(fillGaps(expiry));
    await change(harness, "card_expires = '2020-01'");
    await runCron(harness, due + dayMs);
    expect(await cardKeys(harness)).toEqual([
      ...[
        `${name}.2020-01.${subscription.periodEndsAt}`,
        `${name}.${year}-${month}.${subscription.periodEndsAt}`,
      ].toSorted(),
    ]);
  });

  test("isn't announced if it can still be charged in the month of that charge", async () => {
    const { harness, subscription } = await aSubscriber("month");
    await change(harness, `card_expires = '${new Date(subscription.periodEndsAt).toISOString().slice(0, 7)}'`);
    await runCron(harness, subscription.periodEndsAt - 1);
    expect(await emailKeys(harness)).toEqual([]);
  });

  test("isn't announced if the plan ends first, or if there is no card", async () => {
    const { harness, subscription } = await aSubscriber("month");
    await change(harness, "card_expires = '2020-01', cancels_at = period_ends_at");
    await runCron(harness, subscription.periodEndsAt - 1);
    await change(harness, "card_expires = null, cancels_at = null");
    await runCron(harness, subscription.periodEndsAt - 1);
    expect(await emailKeys(harness)).toEqual([]);
  });
});
