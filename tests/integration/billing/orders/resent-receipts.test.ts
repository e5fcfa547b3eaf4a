import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { formatMoney } from "#app/core/money/money.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import type { CreditNoteReason } from "#app/modules/billing/documents/rules.ts";
import { sampleCreditNote, sampleInvoice } from "#tests/support/billing/sample-document.ts";
import { insertDocument } from "#tests/support/database/insert-document.ts";
import { askAsOperator, operatorToken } from "#tests/support/clients/operator-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { emailOf } from "#tests/support/clients/email-texts.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";
import { samples } from "../../../../scripts/mail-preview/samples.ts";

const order = "ord_0123456789abcdefghjkmnpqrs";
const reader = { locale: "en", timeZone: "UTC" };
const euros = (amountMinor: number) => formatMoney({ amountMinor, currency: "EUR" }, "en");
let app: TestApp;

type Facts = Omit<Extract<EmailContent, { template: "receipt-copy" }>, "template">;

/** The email as the site writes it, with any facts where none are given. */
function copyOf(facts: Partial<Facts>) {
  const [sample] = samples["receipt-copy"];
  const any = { what: gap, amount: gap, paid: gap, backs: [], left: null, credits: [], url: gap };
  return emailOf({ ...sample, ...any, withdrawUntil: null, withdrawUrl: null, ...facts });
}

/** What it says about money that went back, about what is left, and about credit. */
function moneyIn(backs: Facts["backs"], left: string, credits: Facts["credits"] = []): string[] {
  const [, ...sentences] = copyOf({ backs, left, credits }).before;
  expect(sentences).toHaveLength(backs.length + 1 + credits.length);
  return sentences;
}

beforeEach(async () => {
  app = testApp({ operatorToken });
  await emptyTables("operator_log", "withdrawals", "history_events", "orders", "sessions", "accounts", "emails");
  await env.DB.batch([
    env.DB.prepare(
      `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
       values ('acc_mara', 'active', 'mara@example.com', 'mara@example.com', 'en', 'UTC', '', 0)`,
    ),
    env.DB.prepare(
      `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at,
         number_year, number_in_year, paid_at)
       values (?, 'acc_mara', 'paid', 'new-plan', 'golden', 'year', 'EUR', 6000, 0, 0, 2026, 41, ?)`,
    ).bind(order, app.clock()),
  ]);
});

/** `moneyMinor` is the amount if it isn't given. */
type Note = { cause: string; reason: CreditNoteReason; amountMinor: number; moneyMinor?: number };

async function resend({ refunded = 0, state = "paid", notes }: { refunded?: number; state?: string; notes: Note[] }) {
  const at = app.clock() + dayMs;
  await env.DB.prepare("update orders set state = ?, refunded_minor = ?").bind(state, refunded).run();
  const amounts = { netMinor: 6000, taxMinor: 0, totalMinor: 6000, moneyMinor: 6000, taxes: [] };
  const invoice = { orderId: order, ...amounts, timeZone: "UTC" } as const;
  await insertDocument(app.db, sampleInvoice({ ...invoice, issuedAt: at - dayMs }));
  for (const [index, { cause, reason, amountMinor, moneyMinor = amountMinor }] of notes.entries()) {
    const own = { netMinor: amountMinor, totalMinor: amountMinor, moneyMinor };
    const number = { cause, reason, numberInYear: index + 1 };
    await insertDocument(app.db, sampleCreditNote({ ...invoice, ...own, ...number, issuedAt: at }));
  }
  app.pass(2 * dayMs);
  const { json } = await askAsOperator(app, "/receipts", { body: { order: "2026-000041" } });
  expect([json["state"], app.emails.length]).toEqual(["sent", 1]);
  const { subject = "", text = "" } = app.emails[0] ?? {};
  expect(json["told"]).toMatchObject({ emails: [{ subject, text }] });
  const { heading, before } = copyOf({ amount: euros(6000), paid: formatDay(at - dayMs, reader) });
  expect(text).toContain(heading);
  expect(text).toMatch(fillGaps(before[0] ?? ""));
  // This is independent of whether it was delivered.
  const arrived = { what: gap, amount: gap, url: gap, withdrawUntil: null, withdrawUrl: null };
  for (const template of ["receipt", "payment-arrived"] as const)
    expect(text).not.toContain(emailOf({ ...samples[template][0], ...arrived }).heading);
  return { text, day: formatDay(at, reader) };
}

describe("a receipt that is sent again", () => {
  test("shows what was paid, and that the order can be withdrawn from", async () => {
    const { text } = await resend({ notes: [] });
    expect(text).toContain(`/withdraw?order=2026-000041&ref=${order}`);
    const kinds = ["refund", "friend-discount", "dispute-lost"] as const;
    const backs = kinds.map((what) => ({ what, number: gap, on: gap, amount: gap }));
    for (const sentence of moneyIn(backs, gap)) expect(text).not.toMatch(fillGaps(sentence));
  });

  test("shows a refund, and offers no withdrawal", async () => {
    const { text, day } = await resend({
      refunded: 6000,
      state: "refunded",
      notes: [{ cause: "re_1", reason: "refund", amountMinor: 6000 }],
    });
    const backs = [{ what: "refund" as const, number: "CN-2026-000001", on: day, amount: euros(6000) }];
    for (const sentence of moneyIn(backs, euros(0))) expect(text).toContain(sentence);
    expect(text).not.toContain("/withdraw");
  });

  test("shows that a bank returned the payment, and offers no withdrawal", async () => {
    const { text, day } = await resend({
      notes: [{ cause: "dp_1", reason: "dispute-lost", amountMinor: 6000 }],
    });
    const backs = [{ what: "dispute-lost" as const, number: "CN-2026-000001", on: day, amount: euros(6000) }];
    for (const sentence of moneyIn(backs, euros(0))) expect(text).toContain(sentence);
    expect(text).not.toContain("/withdraw");
  });

  test("shows what remains after a partial refund, with a refund that the bank returned", async () => {
    const { text, day } = await resend({
      refunded: 1500,
      state: "partially-refunded",
      notes: [
        { cause: "re_1", reason: "friend-discount", amountMinor: 500 },
        { cause: "re_2", reason: "refund", amountMinor: 1000 },
        { cause: "re_3", reason: "refund", amountMinor: 2000 },
        { cause: "re_3.returned", reason: "refund-returned", amountMinor: -2000 },
      ],
    });
    const backs = [
      { what: "friend-discount" as const, number: "CN-2026-000001", on: day, amount: euros(500) },
      { what: "refund" as const, number: "CN-2026-000002", on: day, amount: euros(1000) },
      { what: "refund" as const, number: "CN-2026-000003", on: day, amount: euros(2000) },
      { what: "refund-returned" as const, number: "CN-2026-000004", on: day, amount: euros(-2000) },
    ];
    for (const sentence of moneyIn(backs, euros(4500))) expect(text).toContain(sentence);
    expect(text).toContain(`/withdraw?order=2026-000041&ref=${order}`);
  });

  test("lists the money so that it adds up to what is left, and credit apart from it", async () => {
    const { text, day } = await resend({
      refunded: 6000,
      state: "refunded",
      notes: [
        { cause: "re_1", reason: "refund", amountMinor: 5500, moneyMinor: 5600 },
        { cause: "credit", reason: "credit", amountMinor: 500, moneyMinor: 0 },
      ],
    });
    const refund = { what: "refund" as const, number: "CN-2026-000001", on: day, amount: euros(5600) };
    const credit = { what: "credit" as const, number: "CN-2026-000002", on: day, amount: euros(500) };
    const sentences = moneyIn([refund], euros(400), [credit]);
    expect(sentences.map((sentence) => text.indexOf(sentence)).toSorted((a, b) => a - b)).toEqual(
      sentences.map((sentence) => text.indexOf(sentence)),
    );
    for (const sentence of sentences) expect(text).toContain(sentence);
  });
});
