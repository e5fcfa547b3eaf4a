import { expect, test } from "vitest";
import { sampleCreditNote, sampleInvoice } from "#tests/support/billing/sample-document.ts";
import { movementOf } from "./movements.rules.ts";

const order = {
  planId: "golden",
  interval: "month",
  invoiceId: "in_1",
  numberYear: 2026,
  numberInYear: 41,
} as const;

test("a sale has the invoice's amounts, both numbers and the seller's day", () => {
  const document = sampleInvoice({ issuedAt: Date.UTC(2026, 11, 31, 23, 30) });
  expect(movementOf({ document, order })).toMatchObject({
    date: "2027-01-01",
    what: "sale",
    number: "2026-000041",
    orderNumber: "2026-000041",
    providerNumber: "F3A9-0001",
    providerId: "in_1",
    country: "DE",
    netMinor: 504,
    taxMinor: 96,
    totalMinor: 600,
    moneyMinor: 600,
    taxes: [{ percent: 19, amountMinor: 96 }],
  });
});

test("what went back is negative, on its own day, and names the refund and the invoice", () => {
  const document = sampleCreditNote({ moneyMinor: 600, issuedAt: Date.UTC(2027, 1, 3) });
  expect(movementOf({ document, order })).toMatchObject({
    date: "2027-02-03",
    what: "refund",
    number: "CN-2026-000001",
    corrects: "2026-000041",
    providerNumber: null,
    providerId: "re_1",
    netMinor: -504,
    taxMinor: -96,
    totalMinor: -600,
    moneyMinor: -600,
    taxes: [{ amountMinor: -96 }],
  });
});

test("a refund that the bank sent back adds up to nothing with its credit note", () => {
  const note = sampleCreditNote({});
  const { netMinor, taxMinor, totalMinor, moneyMinor } = note;
  const back = sampleCreditNote({
    reason: "refund-returned",
    netMinor: -netMinor,
    taxMinor: -taxMinor,
    totalMinor: -totalMinor,
    moneyMinor: -moneyMinor,
  });
  const [first, second] = [note, back].map((document) => movementOf({ document, order }));
  expect((first?.totalMinor ?? 0) + (second?.totalMinor ?? 0)).toBe(0);
});

test("names Stripe's refund or dispute, also where its credit note is taken back, and nothing for credit", () => {
  const idOf = (cause: string) => movementOf({ document: sampleCreditNote({ cause }), order }).providerId;
  expect(["re_1", "re_1.returned", "dp_1", "credit"].map(idOf)).toEqual(["re_1", "re_1", "dp_1", null]);
});
