import { expect, test } from "vitest";
import { sampleInvoice } from "#tests/support/billing/sample-document.ts";
import { itemise, readerOfEmail } from "./itemise.rules.ts";

const seller = { name: "Gull Ltd", address: ["Quay 1"], vatId: null };
const reader = { locale: "en-GB", timeZone: "UTC" };
const buyer = { name: "Mara", address: ["Deich 1"], country: "DE", vatIds: ["DE1"], paidBy: null };
const invoice = sampleInvoice({
  seller,
  buyer,
  lines: [
    {
      label: "Golden",
      quantity: 1,
      netMinor: 630,
      taxMinor: 80,
      totalMinor: 710,
      periodStartsAt: Date.UTC(2026, 11, 31, 23, 30),
      periodEndsAt: Date.UTC(2027, 0, 31, 23, 30),
    },
  ],
  taxes: [{ name: "VAT", percent: 19, amountMinor: 80, isReverseCharge: false }],
  netMinor: 630,
  taxMinor: 80,
  totalMinor: 710,
  steps: [{ what: "credit", amountMinor: -100 }],
  moneyMinor: 610,
  periodEndsAt: Date.UTC(2027, 0, 31, 23, 30),
  // In Berlin it is the next year already.
  issuedAt: Date.UTC(2026, 11, 31, 23, 30),
  timeZone: "Europe/Berlin",
});

test("lines, sums and the seller's days are formatted, and the number is filled in later", () => {
  const { numberYear: _year, numberInYear: _inYear, ...unnumbered } = invoice;
  expect(itemise(reader, unnumbered)).toEqual({
    kind: "invoice",
    number: null,
    corrects: null,
    renewsOn: "1\u00a0February 2027",
    paid: "1\u00a0January 2027",
    lines: [
      { what: "Golden", period: { from: "1\u00a0Jan\u00a02027", until: "1\u00a0Feb\u00a02027" }, amount: "€7.10" },
    ],
    sums: [
      { what: "net", amount: "€6.30" },
      { what: "tax", name: "VAT", percent: "19%", amount: "€0.80" },
      { what: "total", amount: "€7.10" },
      { what: "credit", amount: "\u2212€1.00" },
    ],
    total: "€6.10",
    noTax: null,
    method: null,
    seller,
    buyer: { name: "Mara", address: ["Deich 1"], country: "DE", vatIds: ["DE1"] },
  });
});

test("payer and payment method are those of the document, and so is the wording of an exemption", () => {
  const paidBy = { method: "visa", last4: "4242" };
  const numbered = { ...invoice, numberYear: 2026, numberInYear: 41 };
  const facts = itemise(reader, { ...numbered, buyer: { ...buyer, paidBy }, taxes: [], exemption: "No VAT" });
  expect(facts).toMatchObject({
    number: "2026-000041",
    method: { name: "visa", last4: "4242" },
    noTax: { exemption: "No VAT" },
  });
  expect(itemise(reader, { ...invoice, moneyMinor: 0, taxes: [] })).toMatchObject({
    method: "none",
    noTax: { exemption: null },
  });
});

test("a reader with another language's formats gets dates and amounts in the language of emails", () => {
  expect(readerOfEmail({ locale: "fi-FI" }).locale).toBe("en-GB");
  expect(readerOfEmail({ locale: "en-US" }).locale).toBe("en-US");
});
