import { namePaymentMethod } from "#app/core/text/payment-method.ts";
import { receiptMessages } from "./messages/receipt.messages.ts";
import type { ReceiptFacts } from "./receipt-facts.rules.ts";
import type { EmailReceipt } from "./texts.rules.ts";

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
