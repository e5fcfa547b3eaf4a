import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { operatorCalls } from "#app/api/operator-calls.ts";
import { usageMonthOf } from "#app/modules/billing/usage/rules.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import { sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { failedEmailRetentionMs, retryWaitsMs } from "#app/modules/email/rules.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import type { DecisionPreview } from "#app/modules/operators/decisions.rules.ts";
import { operatorLogRetentionMs } from "#app/modules/operators/rules.ts";
import { product } from "#app/product/config.ts";
import { large } from "#tests/support/billing/catalogue.ts";
import { askAsOperator, operatorToken as token } from "#tests/support/clients/operator-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { cronJobs } from "#workers/cron.ts";
import { sampleCreditNote, sampleInvoice } from "#tests/support/billing/sample-document.ts";
import { insertDocument } from "#tests/support/database/insert-document.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";
import { samples } from "../../../scripts/mail-preview/samples.ts";

const address = "mara@example.com";
const order = "ord_0123456789abcdefghjkmnpqrs";
let app: TestApp;

beforeEach(async () => {
  app = testApp({ operatorToken: token });
  await emptyTables(
    "operator_log",
    "withdrawals",
    "history_events",
    "orders",
    "cancellation_reasons",
    "subscriptions",
    "usage_values",
    "referrals",
    "sessions",
    "accounts",
    "emails",
  );
  await env.DB.batch([
    env.DB.prepare(
      `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
       values ('acc_mara', 'active', ?1, ?1, 'en', 'UTC', '', 0)`,
    ).bind(address),
    env.DB.prepare(
      `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, refunded_minor, dispute,
         created_at, updated_at, number_year, number_in_year, paid_at)
       values (?, 'acc_mara', 'paid', 'new-plan', 'golden', 'year', 'EUR', 6000, 1000, 'needs-response', 0, 0, 2026, 41, ?)`,
    ).bind(order, app.clock()),
    env.DB.prepare(
      `insert into subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, started_at, period_ends_at,
         synced_at) values ('sub_1', 'acc_mara', 'active', 'golden', 'year', 6000, 'EUR', 0, 1, 0)`,
    ),
    env.DB.prepare(
      `insert into withdrawals (id, order_id, state, name, order_typed, email, declared_at)
       values ('wdr_1', ?, 'declared', 'Mara', '2026-000041', ?, 5)`,
    ).bind(order, address),
  ]);
  const issued = { orderId: order, issuedAt: app.clock() } as const;
  const invoice = { ...issued, netMinor: 5040, taxMinor: 960, totalMinor: 6000, moneyMinor: 6000 };
  await insertDocument(app.db, sampleInvoice(invoice));
  const refund = { netMinor: 840, taxMinor: 160, totalMinor: 1000, moneyMinor: 1000 };
  await insertDocument(app.db, sampleCreditNote({ ...issued, ...refund }));
});

const ask = (...[path, init]: [string, Parameters<typeof askAsOperator>[2]?]) => askAsOperator(app, path, init);

async function operatorLog() {
  const { results } = await env.DB.prepare("select * from operator_log order by rowid").all();
  return results;
}

describe("the operators' calls", () => {
  test("require their token, and add nothing to an account's activity log", async () => {
    for (const authorization of ["", "Bearer", "Bearer local-operator-toke", `Bearer ${token}x`, `Basic ${token}`]) {
      const { status, json } = await ask("/numbers", { headers: { Authorization: authorization } });
      expect([status, json["code"]]).toEqual([401, "token-refused"]);
    }
    expect(await operatorLog()).toEqual([]);
    expect((await ask("/numbers")).status).toBe(200);
  });

  test("answer 404 without a token in the configuration, for any request", async () => {
    app = testApp({ operatorToken: null });
    for (const { path, method } of operatorCalls) {
      const { status, json } = await ask(path, { method, ...(method === "POST" && { body: {} }) });
      expect([status, json["code"]]).toEqual([404, "no-such-call"]);
    }
  });

  test("are logged under the given operator name, with their result and without addresses", async () => {
    await ask(`/person?address=${address}`);
    await ask("/person?address=nobody@example.com", { headers: { Operator: "  <b>Ada</b> Lovelace " } });
    await ask("/decisions", { body: { id: "wdr_1", decision: "contest", reason: "After 20 days" } });
    const log = await operatorLog();
    expect(log).toMatchObject([
      { operator: "Nils", call: "person", subject: "acc_mara", outcome: "done", refusal: null },
      { operator: "b Ada b Lovelace", call: "person", subject: null, outcome: "refused", refusal: "no-such-person" },
      { operator: "Nils", call: "contest", subject: "wdr_1", outcome: "done", reason: "After 20 days" },
    ]);
    expect(JSON.stringify(log)).not.toContain("@");
    const { json } = await ask("/log");
    expect(json["acts"]).toHaveLength(3);
  });

  test("that fail are logged as failures, and reported", async () => {
    const bugs: unknown[] = [];
    app = testApp({ operatorToken: token, report: (error) => bugs.push(error) });
    await env.DB.prepare("alter table withdrawals rename to away").run();
    const { status } = await ask("/withdrawals");
    await env.DB.prepare("alter table away rename to withdrawals").run();
    expect([status, bugs.length]).toEqual([500, 1]);
    expect(await operatorLog()).toMatchObject([{ call: "withdrawals", outcome: "broken" }]);
  });

  test("are deleted from the log after three years", async () => {
    await ask("/numbers");
    app.pass(operatorLogRetentionMs);
    await cronJobs.operators(app);
    expect(await operatorLog()).toHaveLength(1);
    app.pass(1);
    await cronJobs.operators(app);
    expect(await operatorLog()).toEqual([]);
  });
});

describe("an account with an intruder", () => {
  test("is signed out of every browser, no other account is, and that is logged", async () => {
    const live = async () => {
      const { results } = await env.DB.prepare("select id from sessions where state = 'active'").all<{ id: string }>();
      return results.map(({ id }) => id);
    };
    await env.DB.prepare(
      `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
       values ('acc_nora', 'active', 'nora@example.com', 'nora@example.com', 'en', 'UTC', '', 0)`,
    ).run();
    const session = env.DB.prepare(
      `insert into sessions (id, account_id, state, token_hash, device, created_at, proven_at, last_used_at, expires_at)
       values (?1, ?2, 'active', ?1, '', 0, 0, 0, 0)`,
    );
    const rows = [
      ["ses_1", "acc_mara"],
      ["ses_2", "acc_mara"],
      ["ses_3", "acc_nora"],
    ];
    await env.DB.batch(rows.map((row) => session.bind(...row)));
    expect((await ask("/sign-outs", { body: { address } })).json).toEqual({
      ended: 2,
      told: { emails: [], pages: [] },
    });
    expect(await live()).toEqual(["ses_3"]);
    expect((await ask("/sign-outs", { body: { address: "nobody@example.com" } })).json["code"]).toBe("no-such-person");
    expect(await operatorLog()).toMatchObject([
      { call: "sign-out", subject: "acc_mara", outcome: "done" },
      { call: "sign-out", subject: null, outcome: "refused" },
    ]);
  });
});

describe("operators can read", () => {
  test("an account's plan, orders and emails, without a page to pay on or an invoice's address", async () => {
    const { json } = await ask(`/person?address=MARA@Example.com`);
    expect(json).toMatchObject({
      account: { id: "acc_mara", email: address, createdAt: "1970-01-01T00:00:00.000Z" },
      plan: { subscriptions: [{ id: "sub_1", state: "active" }] },
      orders: [{ id: order, number: "2026-000041", state: "paid" }],
    });
    expect(JSON.stringify(json)).not.toMatch(/checkoutUrl|billedTo/);
  });

  test("an account's usage per meter against the running plan, including meters without a report", async () => {
    const meter = { key: "shelf", label: "Shelf", kind: "maximum", unit: "count", limit: "devices" } as const;
    const meters = [meter, { ...meter, key: "queue" }];
    app = testApp({ operatorToken: token, product: { ...product, meters } });
    const month = usageMonthOf(app.clock(), product.timeZone);
    await env.DB.batch([
      env.DB.prepare("update subscriptions set plan_id = ?").bind(large.id),
      env.DB.prepare(
        "insert into usage_values (account_id, meter, part, value, reported_at) values ('acc_mara', 'shelf', ?, 7, 0)",
      ).bind(month),
    ]);
    const { json } = await ask(`/person?address=${address}`);
    const limit = large.limits.devices;
    expect(json["usage"]).toEqual([
      { meter: "shelf", unit: "count", used: 7, limit, reportedAt: "1970-01-01T00:00:00.000Z" },
      { meter: "queue", unit: "count", used: null, limit, reportedAt: null },
    ]);
  });

  test("an account's emails, and no other account's", async () => {
    await env.DB.batch([
      env.DB.prepare(
        `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
         values ('acc_ben', 'active', 'ben@example.com', 'ben@example.com', 'en', 'UTC', '', 0)`,
      ),
      ...[
        ["acc_mara.account-closed", "account-closed", "acc_mara"],
        ["rfr_1.earned", "reward-earned", "acc_mara"],
        ["rfr_2.earned", "reward-earned", "acc_other"],
        [`${order}.paid`, "receipt", "acc_mara"],
        ["rfr_1.discount-refused", "friend-discount-refused", "acc_ben"],
        ["wdr_stranger.contested", "withdrawal-contested", null],
      ].map(([cause, template, recipient]) =>
        env.DB.prepare(
          "insert into emails (id, state, template, created_at, recipient_id) values (?, 'sent', ?, 0, ?)",
        ).bind(`mail_${cause}`, template, recipient),
      ),
    ]);
    const emailsOf = async (who: string) => {
      const { json } = await ask(`/person?address=${who}`);
      return (json["mails"] as { id: string }[]).map(({ id }) => id).toSorted();
    };
    expect(await emailsOf(address)).toEqual([
      "mail_acc_mara.account-closed",
      `mail_${order}.paid`,
      "mail_rfr_1.earned",
    ]);
    expect(await emailsOf("ben@example.com")).toEqual(["mail_rfr_1.discount-refused"]);
  });

  test("nothing by an invalid address, which is refused with its field", async () => {
    const { status, json } = await ask("/person?address=mara");
    expect([status, json["errors"]]).toEqual([422, [{ field: "address", problem: "email-malformed" }]]);
  });

  test("an order by number or id, with lines, timeline and withdrawals", async () => {
    for (const named of ["2026-41", "2026-000041", order]) {
      const { json } = await ask(`/order?order=${named}`);
      expect(json).toMatchObject({ id: order, email: address, amountMinor: 6000, withdrawals: [{ name: "Mara" }] });
    }
    await env.DB.prepare("insert into history_events values (?, 'refund', 're_1', 200, 0)").bind(order).run();
    const { json: shown } = await ask(`/order?order=${order}`);
    expect(shown["timeline"]).toEqual([
      { what: "refund", cause: "re_1", amountMinor: 200, happenedAt: "1970-01-01T00:00:00.000Z" },
    ]);
    expect((await ask("/order?order=2026-000042")).json["code"]).toBe("no-such-order");
    expect((await ask("/order?order=hello")).json["errors"]).toEqual([{ field: "order", problem: "order-malformed" }]);
  });

  test("an order's refund email and page at Stripe, and no page that opens without signing in", async () => {
    await env.DB.prepare(
      `update orders set paid_at = ?1, plan_id = ?2, invoice_id = 'in_1', refunded_minor = 0, state = 'paid',
         receipt_url = 'https://pay.example/invoice', checkout_url = 'https://pay.example/checkout'`,
    )
      .bind(app.clock() - dayMs, large.id)
      .run();
    await env.DB.prepare("update withdrawals set declared_at = ?").bind(app.clock()).run();
    app = testApp({ operatorToken: token, stripeDashboard: "https://dashboard.stripe.com" });
    const { json } = await ask(`/order?order=${order}`);
    expect(json["links"]).toEqual(["https://dashboard.stripe.com/invoices/in_1"]);
    expect(json["withdrawal"]).toMatchObject({ totalMinor: 6000, withdrawUntil: expect.stringMatching(/^2026-.*Z$/) });
    const { emails } = json["refund"] as DecisionPreview;
    expect(emails).toMatchObject([{ to: address, when: "with-the-refund", text: expect.stringContaining("60.00") }]);
    const { json: person } = await ask(`/person?address=${address}`);
    expect(JSON.stringify([json, person])).not.toContain("pay.example");
  });

  test("the numbers of accounts, running plans and their monthly revenue, and revenue by month", async () => {
    const { json } = await ask("/numbers");
    expect(json).toMatchObject({
      accounts: [{ state: "active", count: 1 }],
      plans: [{ planId: "golden", interval: "year", count: 1 }],
      monthly: [{ currency: "EUR", amountMinor: 500 }],
      revenue: [
        {
          month: "2026-11",
          currency: "EUR",
          orders: 1,
          paidMinor: 6000,
          refundedMinor: 1000,
          disputedMinor: 0,
          taxMinor: 800,
        },
      ],
    });
  });

  test("the pending withdrawals, disputes and failures", async () => {
    const { json } = await ask("/review");
    expect(json).toMatchObject({
      withdrawals: [{ id: "wdr_1", state: "declared" }],
      disputes: [{ number: "2026-000041", dispute: "needs-response" }],
    });
  });
});

describe("a referral and its friend discount", () => {
  beforeEach(async () => {
    const account = env.DB.prepare(
      `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
       values (?1, 'active', ?1 || '@example.com', ?1 || '@example.com', 'en', 'UTC', '', 0)`,
    );
    await env.DB.batch([
      ...["friend_discounts", "referrals"].map((table) => env.DB.prepare(`delete from ${table}`)),
      env.DB.prepare("delete from accounts where id in ('acc_ada', 'acc_ben')"),
      account.bind("acc_ada"),
      account.bind("acc_ben"),
      env.DB.prepare(
        `insert into referrals (id, referrer_id, friend_id, state, signed_up_at, waits_until) values
           ('ref_mara', 'acc_ada', 'acc_mara', 'signed-up', 0, null), ('ref_ben', 'acc_ada', 'acc_ben', 'under-review', 0, 9e14)`,
      ),
      env.DB.prepare(
        `insert into friend_discounts (referral_id, friend_id, order_id, state, why, amount_minor, currency, created_at)
         values ('ref_mara', 'acc_mara', ?, 'under-review', 'domain', 500, 'EUR', 0)`,
      ).bind(order),
    ]);
  });
  afterEach(async () => {
    await emptyTables("friend_discounts", "referrals");
  });

  const decide = async (id: string, decision: string) => {
    const { status, json } = await ask("/decisions", { body: { id, decision, reason: "Looked at" } });
    return { status, told: json["told"] as DecisionPreview };
  };

  test("that is approved shows the emails to the friend about the refund, and to the referrer about the reward", async () => {
    const { told: notice } = await decide("ref_mara", "approve");
    expect(notice).toMatchObject({ pages: [], emails: [{ to: address, when: "with-the-refund" }] });
    expect(notice.emails[0]?.text).toContain(formatMoney({ amountMinor: 500, currency: "EUR" }, "en"));
    expect(app.emails).toEqual([]);
    const signUp = await decide("ref_ben", "approve");
    expect(signUp.told).toMatchObject({ emails: [{ to: "acc_ada@example.com", when: "with-the-reward" }] });
  });

  test("whose referrer has switched off reward emails shows none", async () => {
    await env.DB.exec(`update accounts set emails_off = '["rewards"]' where id = 'acc_ada'`);
    expect((await decide("ref_ben", "approve")).told).toEqual({ emails: [], pages: [] });
  });

  test("that is void shows the email that was sent immediately, and what the order's and the referrer's pages say", async () => {
    const { told: notice } = await decide("ref_mara", "void");
    await app.settled();
    expect(notice.emails).toMatchObject([{ to: address, when: "now", text: app.emails[0]?.text }]);
    expect(notice.pages).toEqual([
      { page: "order", shows: "discount-refused" },
      { page: "referrals", shows: "not-counted" },
    ]);
    expect((await decide("ref_ben", "void")).told).toEqual({
      emails: [],
      pages: [{ page: "referrals", shows: "not-counted" }],
    });
  });
});

describe("a withdrawal for operators", () => {
  test("that isn't accepted is contested once, with a reason, and is then no longer listed as open", async () => {
    const body = { id: "wdr_1", decision: "contest", reason: "No such contract" };
    expect((await ask("/decisions", { body: { ...body, reason: " " } })).json["errors"]).toEqual([
      { field: "reason", problem: "reason-missing" },
    ]);
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask("/decisions", { body })));
    const decided = answers.filter(({ status }) => status === 200);
    expect(decided).toHaveLength(1);
    expect(decided[0]?.json).toMatchObject({
      done: true,
      told: {
        emails: [{ to: address, subject: expect.any(String), text: expect.stringContaining(body.reason) }],
        // As the order's page shows it.
        pages: [{ page: "order", declared: formatDay(5, { locale: "en", timeZone: "UTC" }), reason: body.reason }],
      },
    });
    expect(answers.filter(({ json }) => json["code"] === "withdrawal-closed")).toHaveLength(39);
    expect((await ask("/withdrawals")).json["withdrawals"]).toEqual([]);
    expect((await ask("/withdrawals?state=contested")).json["withdrawals"]).toMatchObject([{ id: "wdr_1" }]);
    expect((await ask("/decisions", { body: { ...body, id: "wdr_2" } })).json["code"]).toBe("no-such-withdrawal");
  });
});

describe("a receipt", () => {
  const resend = (body: object = { order: "2026-000041" }) => ask("/receipts", { body });

  test("is composed and sent again once a minute, and a request within that minute is informed of it", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => resend()));
    const [sent, ...more] = answers.filter(({ status }) => status === 200);
    expect([sent?.json["state"], more]).toEqual(["sent", []]);
    const codes = answers.filter((answer) => answer !== sent).map(({ status, json }) => [status, json["code"]]);
    expect(codes).toEqual(Array.from({ length: 19 }, () => [409, "receipt-just-sent"]));
    expect(app.emails).toMatchObject([{ to: address, text: expect.stringContaining("60.00") }]);
    expect(sent?.json["told"]).toMatchObject({ emails: [{ to: address, text: app.emails[0]?.text }] });
    // By the name of the email that was sent, too.
    const { json } = await ask(`/person?address=${address}`);
    const [newest] = json["mails"] as { id: string; state: string }[];
    expect(newest).toMatchObject({ id: expect.stringMatching(/^mail_ord_\w+\.paid\./), state: "sent" });
    expect((await ask("/mails", { body: { mail: newest?.id } })).json["code"]).toBe("receipt-just-sent");
    app.pass(60_000);
    expect((await ask("/mails", { body: { mail: newest?.id } })).json["state"]).toBe("sent");
    expect(app.emails).toHaveLength(2);
    const events = await env.DB.prepare("select what, occurrence from history_events").all<{ occurrence: string }>();
    expect(events.results.map(({ occurrence }) => occurrence.slice(0, 12))).toEqual(["paid.resent-", "paid.resent-"]);
  });

  test("is sent to the account's current address, and not at all if the account is erased or nothing was paid", async () => {
    await env.DB.exec("update accounts set email = 'mara@new.example', email_canonical = 'mara@new.example'");
    await resend();
    expect(app.emails).toMatchObject([{ to: "mara@new.example" }]);
    app.pass(60_000);
    const unpaid = "ord_1123456789abcdefghjkmnpqrs";
    await env.DB.prepare(
      `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at)
       values (?, 'acc_mara', 'failed', 'new-plan', 'golden', 'year', 'EUR', 6000, 0, 0)`,
    )
      .bind(unpaid)
      .run();
    expect((await resend({ order: unpaid })).json["code"]).toBe("order-unpaid");
    await env.DB.exec("update accounts set state = 'erased'");
    expect((await resend({ order })).json["code"]).toBe("account-gone");
    expect((await resend({ order: "2026-000042" })).json["code"]).toBe("no-such-order");
    expect(app.emails).toHaveLength(1);
    expect((await operatorLog()).map(({ subject }) => subject)).toEqual(["2026-000041", unpaid, order, "2026-000042"]);
  });

  test("that can't be sent now is reported as queued, and sent by the cron job", async () => {
    app.isEmailDown = true;
    expect((await resend()).json["state"]).toBe("queued");
    app.isEmailDown = false;
    app.pass(dayMs);
    await cronJobs.emails(app);
    expect(app.emails).toHaveLength(1);
  });
});

describe("an email that failed", () => {
  const [sample] = samples.receipt;
  const receipt: EmailContent = {
    ...sample,
    plan: null,
    what: "Something Golden",
    amount: "€61.00",
    url: "https://example.com",
    withdrawUntil: null,
    withdrawUrl: null,
  };

  async function failed(content: EmailContent, cause: string) {
    const sealed = await sealEmail(app, address, content, cause);
    await addEmail(app.db, sealed);
    app.isEmailDown = true;
    for (const wait of [...retryWaitsMs, dayMs]) {
      app.pass(wait);
      await cronJobs.emails(app);
    }
    app.isEmailDown = false;
    return sealed.id;
  }

  test("is sent again with the same text, once, and then there is nothing to send", async () => {
    const failedId = await failed(receipt, `${order}.refund.re_1`);
    expect((await ask("/review")).json["failedMails"]).toMatchObject([{ id: failedId }]);
    expect((await ask("/mails", { body: { mail: failedId } })).json).toEqual({
      state: "sent",
      to: address,
      template: "receipt",
    });
    expect(app.emails).toMatchObject([{ to: address }]);
    expect((await ask("/mails", { body: { mail: failedId } })).json["code"]).toBe("mail-sent");
    expect((await ask("/mails", { body: { mail: "mail_none" } })).json["code"]).toBe("no-such-mail");
  });

  test("is reported as failed again while email is down, and is retried by the cron job from then on", async () => {
    const failedId = await failed(receipt, `${order}.refund.re_1`);
    app.isEmailDown = true;
    expect((await ask("/mails", { body: { mail: failedId } })).json).toEqual({
      state: "queued",
      to: address,
      template: "receipt",
    });
    app.isEmailDown = false;
    app.pass(dayMs);
    await cronJobs.emails(app);
    expect(app.emails).toHaveLength(1);
  });

  test("keeps its text for a week, except for a code's email, which keeps none", async () => {
    const failedId = await failed(receipt, `${order}.refund.re_1`);
    const code = await failed(
      { template: "code", purpose: "sign-in", code: "12345678", validMs: 600_000, url: "https://example.com" },
      "c",
    );
    expect((await ask("/mails", { body: { mail: code } })).json["code"]).toBe("mail-wiped");
    const { json } = await ask("/review?list=failedMails");
    const listed = json["failedMails"] as { id: string; to: string; resendableUntil: string | null }[];
    expect(listed.map(({ id, to, resendableUntil }) => [id, to, resendableUntil === null])).toEqual([
      [code, address, true],
      [failedId, address, false],
    ]);
    expect(Object.keys(listed[0] ?? {}).toSorted()).toEqual([
      "createdAt",
      "id",
      "refusal",
      "resendableUntil",
      "template",
      "to",
      "tries",
    ]);
    app.pass(failedEmailRetentionMs);
    await cronJobs.emails(app);
    expect((await ask("/review")).json["failedMails"]).toMatchObject([
      { id: code, to: null, resendableUntil: null },
      { id: failedId, to: null, resendableUntil: null },
    ]);
    expect((await ask("/mails", { body: { mail: failedId } })).json["code"]).toBe("mail-wiped");
    expect(app.emails).toEqual([]);
  });
});
