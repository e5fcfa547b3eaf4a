import type { Messages } from "#app/core/messages.ts";
import { nameFormat } from "#app/core/text/formats.ts";
import type { ReceiptFacts, ReceiptSum } from "../receipt-facts.rules.ts";
import { namePaymentMethod } from "#app/core/text/payment-method.ts";
import type { EmailReceipt } from "../texts.rules.ts";

const en = {
  title: (kind: ReceiptFacts["kind"], number: string | null) =>
    [kind === "invoice" ? "Invoice" : "Credit note", ...(number ? [number] : [])].join(" "),
  /** `corrects`: the number of the document that a credit note corrects. */
  issued: (day: string, corrects: string | null) =>
    corrects === null ? `Date of issue: ${day}.` : `Date of issue: ${day}. Corrects ${corrects}.`,
  paidOn: (day: string, method: string | null) => `Paid on ${day}${method ? ` with ${method}` : ""}.`,
  nothingPaid: (day: string) => `Nothing had to be paid on ${day}.`,
  period: ({ from, until }: { from: string; until: string }) => `${from} to ${until}`,
  sum: (sum: ReceiptSum): string => {
    if (sum.what === "tax") return [sum.name ?? "Tax", ...(sum.percent ? [sum.percent] : []), "included"].join(" ");
    return {
      discount: "Discount",
      credit: "Credit used",
      credited: "Added to your credit",
      "carried-from": "Carried over from an earlier payment",
      "carried-to": "Carried over to your next payment",
      excess: "More than was left of your payment",
      net: "Amount without tax",
      total: "Total",
      "tax-total": "Tax included",
      "reverse-charge": "Reverse charge: the customer pays the VAT",
    }[sum.what];
  },
  money: { invoice: "Paid", "credit-note": "Returned" } satisfies Record<ReceiptFacts["kind"], string>,
  noTax: "No tax was charged.",
  seller: "From",
  buyer: "Billed to",
  vatId: (id: string) => `VAT ID ${id}`,
  country: (code: string) => nameFormat("en").of(code) ?? code,
};

export const receiptMessages: Messages<typeof en> = { en };

/** An invoice or a credit note as the text and the HTML of an email show it. */
export function receiptText(
  { kind, number, corrects, paid, lines, sums, total, noTax, seller, buyer }: ReceiptFacts,
  messages = receiptMessages.en,
): EmailReceipt {
  const country = buyer.country ? [messages.country(buyer.country)] : [];
  const sellerVatId = seller.vatId ? [messages.vatId(seller.vatId)] : [];
  return {
    title: messages.title(kind, number),
    lines: lines.map(({ what, period, amount }) => ({ what, period: period && messages.period(period), amount })),
    sums: sums.map((sum) => ({ label: messages.sum(sum), amount: sum.amount })),
    total: { label: messages.money[kind], amount: total },
    notes: [messages.issued(paid, corrects), ...(noTax === null ? [] : [noTax.exemption ?? messages.noTax])],
    parties: [
      { label: messages.seller, lines: [seller.name, ...seller.address, ...sellerVatId] },
      { label: messages.buyer, lines: [buyer.name, ...buyer.address, ...country, ...buyer.vatIds.map(messages.vatId)] },
    ],
  };
}

/** "Paid on 22 November 2026 with Visa •••• 4242." */
export function sayPaid({ paid, method }: ReceiptFacts, messages = receiptMessages.en): string {
  if (method === "none") return messages.nothingPaid(paid);
  return messages.paidOn(paid, method && namePaymentMethod(method.name, method.last4));
}
