import type { Form } from "../../http/form.ts";
import { mergeMetadata } from "../../http/metadata.ts";

export type CreditNoteInput = ReturnType<typeof readCreditNoteForm>;
export type CreditLineInput = ReturnType<typeof readLine>;

export function readCreditNoteForm(form: Form) {
  form.oneOf("email_type", ["credit_note", "none"]);
  return {
    invoice: form.requiredText("invoice"),
    amount: form.integer("amount"),
    lines: form.groups("lines", readLine),
    creditAmount: form.integer("credit_amount") ?? 0,
    refundAmount: form.integer("refund_amount") ?? 0,
    outOfBandAmount: form.integer("out_of_band_amount") ?? 0,
    refunds: form.groups("refunds", readRefund) ?? [],
    effectiveAt: form.integer("effective_at") ?? null,
    memo: form.text("memo") ?? null,
    reason: form.oneOf("reason", ["duplicate", "fraudulent", "order_change", "product_unsatisfactory"]) ?? null,
    metadata: mergeMetadata({}, form.metadata()),
  };
}

const readLine = (form: Form) => ({
  type: form.oneOf("type", ["custom_line_item", "invoice_line_item"]),
  invoiceLine: form.text("invoice_line_item"),
  amount: form.integer("amount"),
  quantity: form.integer("quantity"),
  unitAmount: form.integer("unit_amount"),
  description: form.text("description"),
  path: form.pathTo("type").replace(/\[type\]$/, ""),
});

/** A refund that was made before. */
function readRefund(form: Form) {
  form.oneOf("type", ["refund"]);
  return {
    refund: form.requiredText("refund"),
    amount: form.integer("amount_refunded"),
    path: form.pathTo("refund").replace(/\[refund\]$/, ""),
  };
}
