import type { Messages } from "#app/core/messages.ts";
import { nameFormat } from "#app/core/text/formats.ts";
import type { ReceiptFacts, ReceiptSum } from "../receipt-facts.rules.ts";

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
