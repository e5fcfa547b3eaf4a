import { expect, test } from "vitest";
import { movementOf } from "#app/modules/billing/documents/movements.rules.ts";
import type { IssuedDocument } from "#app/modules/billing/documents/rules.ts";
import { sampleCreditNote, sampleInvoice } from "#tests/support/billing/sample-document.ts";
import { inNumberOrder, writeMovements } from "./export.ts";

const order = { planId: "golden", interval: "month", invoiceId: "in_1", numberYear: 2026, numberInYear: 41 } as const;
const moved = (documents: IssuedDocument[]) => documents.map((document) => movementOf({ document, order }));

/** Only the list of a row's taxes is quoted. */
function rowsOf(documents: IssuedDocument[], format: "comma" | "semicolon" = "comma"): Record<string, string>[] {
  const lines = writeMovements(moved(documents), format).slice(1).trimEnd().split("\r\n");
  const [names = [], ...rows] = lines.map((line) => line.replace(/"[^"]*"/, "").split(format === "comma" ? "," : ";"));
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""])));
}

const cents = (rows: Record<string, string>[], column: string) =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0);

const vat = { name: "VAT", percent: 19, amountMinor: 96, isReverseCharge: false };
const owed = { name: null, percent: null, amountMinor: 0, isReverseCharge: true };
const gst = { name: "GST", percent: 5, amountMinor: 30, isReverseCharge: false };
const pst = { name: "PST", percent: 7, amountMinor: 42, isReverseCharge: false };

test("each movement is a row with its net, tax and total, and what went back is negative", () => {
  const [sale, refund] = rowsOf([sampleInvoice({}), sampleCreditNote({})]);
  expect(sale).toMatchObject({
    date: "2026-11-20",
    what: "sale",
    number: "2026-000041",
    net: "5.04",
    tax: "0.96",
    total: "6.00",
    money: "6.00",
    stripe_number: "F3A9-0001",
    stripe_id: "in_1",
  });
  expect(refund).toMatchObject({ number: "CN-2026-000001", net: "-5.04", tax: "-0.96", total: "-6.00" });
  expect(rowsOf([sampleInvoice({})], "semicolon")).toMatchObject([{ net: "5,04", tax: "0,96" }]);
});

test("each tax of the year has two columns that can be filed, and those of all taxes add up to the tax", () => {
  const rows = rowsOf([
    sampleInvoice({ taxes: [vat] }),
    sampleCreditNote({ taxes: [{ ...vat, amountMinor: 48 }], netMinor: 252, taxMinor: 48, totalMinor: 300 }),
    sampleInvoice({ numberInYear: 42, taxes: [gst, pst], netMinor: 600, taxMinor: 72, totalMinor: 672 }),
    sampleInvoice({ numberInYear: 43, taxes: [owed], netMinor: 600, taxMinor: 0, totalMinor: 600 }),
    sampleInvoice({ numberInYear: 44, taxes: [], netMinor: 600, taxMinor: 0, totalMinor: 600, exemption: "No VAT" }),
  ]);
  expect([cents(rows, "net VAT 19%"), cents(rows, "tax VAT 19%")]).toEqual([252, 48]);
  const canadian = rows.find(({ number }) => number === "2026-000042");
  expect(canadian).toMatchObject({
    "net GST 5%": "6.00",
    "tax GST 5%": "0.30",
    "net PST 7%": "6.00",
    "tax PST 7%": "0.42",
  });
  expect(canadian).toMatchObject({ "net VAT 19%": "", "tax VAT 19%": "" });
  expect([cents(rows, "net reverse charge"), cents(rows, "tax reverse charge")]).toEqual([600, 0]);
  const names = Object.keys(rows[0] ?? {}).filter((name) => name.startsWith("tax "));
  expect(names.reduce((sum, name) => sum + cents(rows, name), 0)).toBe(cents(rows, "tax"));
});

test("rows are in the order of days and numbers", () => {
  const day = (at: number) => ({ issuedAt: Date.UTC(2026, 10, at, 12) });
  const documents = [
    sampleInvoice({ ...day(21), numberInYear: 7 }),
    sampleCreditNote({ ...day(20), numberInYear: 2 }),
    sampleInvoice({ ...day(20), numberInYear: 10 }),
    sampleInvoice({ ...day(20), numberInYear: 9 }),
    sampleCreditNote({ ...day(20), numberInYear: 1 }),
  ];
  const numbers = ["2026-000009", "2026-000010", "CN-2026-000001", "CN-2026-000002", "2026-000007"];
  expect(inNumberOrder(moved(documents)).map(({ number }) => number)).toEqual(numbers);
  expect(rowsOf(documents).map(({ number }) => number)).toEqual(numbers);
});
