import type { IssuedDocument } from "#app/modules/billing/documents/rules.ts";

/** An issued invoice of 6.00, tax included, with the fields that a test cares about. */
export function sampleInvoice(facts: Partial<IssuedDocument>): IssuedDocument {
  const amounts = { netMinor: 504, taxMinor: 96, totalMinor: 600 };
  return {
    orderId: "ord_0123456789abcdefghjkmnpqrs",
    cause: "",
    kind: "invoice",
    reason: null,
    numberYear: 2026,
    numberInYear: 41,
    corrects: null,
    providerNumber: "F3A9-0001",
    currency: "EUR",
    lines: [{ label: "Golden", quantity: 1, ...amounts, periodStartsAt: null, periodEndsAt: null }],
    taxes: [{ name: "VAT", percent: 19, amountMinor: 96, isReverseCharge: false }],
    ...amounts,
    steps: [],
    moneyMinor: 600,
    exemption: null,
    seller: { name: "Gull Ltd", address: ["Quay 1"], vatId: null },
    buyer: { name: "Mara", address: [], country: "DE", vatIds: [], paidBy: { method: "visa", last4: "4242" } },
    periodStartsAt: null,
    periodEndsAt: null,
    issuedAt: Date.UTC(2026, 10, 20, 12, 1),
    timeZone: "Europe/Berlin",
    ...facts,
  };
}

/** A credit note of it. */
export function sampleCreditNote(facts: Partial<IssuedDocument>): IssuedDocument {
  return sampleInvoice({
    kind: "credit-note",
    cause: "re_1",
    reason: "refund",
    numberInYear: 1,
    corrects: "2026-000041",
    providerNumber: null,
    ...facts,
  });
}
