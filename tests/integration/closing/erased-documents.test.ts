import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { eraseDocuments } from "#app/modules/billing/documents/personal-data.queries.server.ts";
import { eraseKeptBuyers } from "#app/modules/billing/documents/everyone.queries.server.ts";
import { issueCreditNote } from "#app/modules/billing/documents/queries.server.ts";
import { buyerKeptYears, type IssuedDocument } from "#app/modules/billing/documents/rules.ts";
import { sampleCreditNote, sampleInvoice } from "#tests/support/billing/sample-document.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";
import { insertDocument } from "#tests/support/database/insert-document.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

const orderId = "ord_0123456789abcdefghjkmnpqrs";
const buyer = {
  name: "Mara",
  address: ["Deich 1", "20359 Hamburg"],
  country: "DE",
  vatIds: ["DE136695976"],
  paidBy: { method: "visa", last4: "4242" },
};
const nobody = { name: null, address: [], country: null, vatIds: [], paidBy: null };
const owedByBuyer = { name: null, percent: null, amountMinor: 0, isReverseCharge: true };
let app: TestApp;

beforeEach(async () => {
  app = testApp();
  await emptyTables("history_events", "order_lines", "orders", "accounts");
  await env.DB.batch([
    env.DB.prepare(
      `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
       values ('acc_mara', 'active', 'mara@example.com', 'mara@example.com', 'en', 'UTC', '', 0)`,
    ),
    env.DB.prepare(
      `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at,
         number_year, number_in_year, paid_at)
       values (?, 'acc_mara', 'paid', 'new-plan', 'golden', 'year', 'EUR', 600, 0, 0, 2026, 41, 0)`,
    ).bind(orderId),
  ]);
});

async function stored(): Promise<(IssuedDocument & { buyerKeptUntil: number | null })[]> {
  const { results } = await env.DB.prepare(
    "select *, buyer_kept_until as buyerKeptUntil from documents order by kind desc",
  ).all<Record<string, unknown>>();
  return results.map((row) => ({ ...row, buyer: JSON.parse(String(row["buyer"])) })) as never;
}

test("an erasure leaves of the buyer the country, and the VAT ids of a reverse charge alone", async () => {
  await insertDocument(app.db, sampleInvoice({ buyer, taxes: [owedByBuyer] }));
  await insertDocument(app.db, sampleCreditNote({ buyer }));
  const before = await stored();
  await eraseDocuments(app.db, "acc_mara", sql`true`);
  const after = await stored();
  expect(after.map((document) => document.buyer)).toEqual([
    { ...nobody, country: "DE", vatIds: ["DE136695976"] },
    { ...nobody, country: "DE" },
  ]);
  const others = (rows: object[]) => rows.map((row) => ({ ...row, buyer: 0, buyerKeptUntil: 0, buyer_kept_until: 0 }));
  expect(others(after)).toEqual(others(before));
});

test("a credit note that is issued after the erasure has no more of the buyer, and no longer", async () => {
  const reverseCharge = { buyer, taxes: [owedByBuyer] };
  await insertDocument(app.db, sampleInvoice(reverseCharge));
  await eraseDocuments(app.db, "acc_mara", sql`true`);
  const note = { ...sampleCreditNote(reverseCharge), reason: "refund" as const, takesBack: null, beforeMinor: 0 };
  await issueCreditNote(app.db, orderId, note, 2027);
  const kept = { ...nobody, country: "DE", vatIds: ["DE136695976"] };
  expect((await stored()).map((document) => document.buyer)).toEqual([kept, kept]);
  const endOfYears = Date.UTC(2027 + buyerKeptYears + 1, 0, 1);
  await eraseKeptBuyers(app.db, endOfYears - dayMs);
  expect((await stored()).map((document) => document.buyer)).toEqual([nobody, kept]);
  await eraseKeptBuyers(app.db, endOfYears + dayMs);
  expect((await stored()).map((document) => document.buyer)).toEqual([nobody, nobody]);
});

test("the rest is removed once the tax office's years are over, and not before", async () => {
  await insertDocument(app.db, sampleInvoice({ buyer }));
  await insertDocument(app.db, sampleCreditNote({ buyer }));
  await eraseDocuments(app.db, "acc_mara", sql`order_id = ${orderId} and kind = 'invoice'`);
  const endOfYears = Date.UTC(2026 + buyerKeptYears + 1, 0, 1);
  await eraseKeptBuyers(app.db, endOfYears - dayMs);
  expect((await stored())[0]?.buyer.country).toBe("DE");
  await eraseKeptBuyers(app.db, endOfYears + dayMs);
  const [erased, other] = await stored();
  expect([erased?.buyer, erased?.buyerKeptUntil]).toEqual([nobody, null]);
  // Its account isn't erased.
  expect(other?.buyer).toEqual(buyer);
});
