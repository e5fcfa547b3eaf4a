import { expect, test } from "vitest";
import type { Order } from "#app/modules/orders/rules.ts";
import { itemise, readerOfEmail } from "./itemise.rules.ts";

const seller = { name: "Gull Ltd", address: ["Quay 1"], vatId: null };
const reader = { name: null, email: "mara@example.com", locale: "en-GB", timeZone: "UTC" };
const order: Order = {
  id: "ord_1",
  accountId: "acc_1",
  state: "paid",
  dispute: "none",
  kind: "renewal",
  planId: "golden",
  interval: "month",
  currency: "EUR",
  amountMinor: 600,
  taxMinor: 80,
  discountMinor: 0,
  creditMinor: 100,
  refundedMinor: 0,
  friendDiscountMinor: 0,
  numberYear: null,
  numberInYear: null,
  checkoutId: null,
  checkoutUrl: null,
  invoiceId: null,
  receiptUrl: null,
  failure: null,
  attempts: 1,
  nextTryAt: null,
  prorationAt: null,
  billedTo: null,
  seller: null,
  taxes: { netMinor: 620, parts: [{ name: "VAT", percent: 19, amountMinor: 80, isReverseCharge: false }] },
  disputeDueAt: null,
  createdAt: 0,
  expiresAt: null,
  paidAt: Date.UTC(2026, 10, 22),
  buyerTimeZone: null,
  isUnconfirmed: false,
  unconfirmedUntil: null,
};
const lines = [
  {
    description: "Golden",
    amountMinor: 700,
    periodStartsAt: Date.UTC(2026, 10, 22),
    periodEndsAt: Date.UTC(2026, 11, 22),
  },
];

test("lines, sums and days are formatted, and the number is filled in later", () => {
  expect(itemise({ seller }, reader, order, lines)).toEqual({
    number: null,
    renewsOn: "22\u00a0December 2026",
    paid: "22\u00a0November 2026",
    lines: [
      { what: "Golden", period: { from: "22\u00a0Nov\u00a02026", until: "22\u00a0Dec\u00a02026" }, amount: "€7.00" },
    ],
    sums: [
      { what: "net", amount: "€6.20" },
      { what: "tax", name: "VAT", percent: "19%", amount: "€0.80" },
      { what: "credit", amount: "\u2212€1.00" },
    ],
    hasNoTax: false,
    method: null,
    seller,
    buyer: { name: "mara@example.com", address: [], country: null, vatIds: [] },
  });
});

test("payer, payee and payment method are those of the day of the payment", () => {
  const paidBy = { method: "visa", last4: "4242" };
  const billedTo = { name: "Mara", address: ["Deich 1"], country: "DE", vatIds: ["DE1"], paidBy };
  const former = { ...seller, name: "Old Gull" };
  const facts = itemise(
    { seller },
    reader,
    { ...order, billedTo, seller: former, numberYear: 2026, numberInYear: 41 },
    [],
  );
  expect(facts).toMatchObject({ number: "2026-000041", method: { name: "visa", last4: "4242" }, seller: former });
  expect(facts.buyer).toEqual({ name: "Mara", address: ["Deich 1"], country: "DE", vatIds: ["DE1"] });
  expect(itemise({ seller }, reader, { ...order, amountMinor: 0 }, []).method).toBe("none");
});

test("a reader with another language's formats gets dates and amounts in the language of emails", () => {
  expect(readerOfEmail({ locale: "fi-FI" }).locale).toBe("en-GB");
  expect(readerOfEmail({ locale: "en-US" }).locale).toBe("en-US");
});
