import type Stripe from "stripe";
import type { Summary } from "../money/summarize-invoice.ts";
import { type PdfLine, writePdf } from "../pdf.ts";
import { formatTime } from "./html.ts";

export function invoicePdf(invoice: Stripe.Invoice, summary: Summary): Response {
  const title = `${invoice.status === "paid" ? "Receipt" : "Invoice"} ${invoice.number ?? ""}`;
  const blank: PdfLine = { text: "" };
  const paidAt = invoice.status_transitions.paid_at;
  const rows = (list: Summary["lines"]): PdfLine[] => list.map(({ what, amount }) => ({ text: what, right: amount }));
  const file = writePdf(title, [
    { text: title, isHeading: true },
    { text: "Stripe emulator, stands in for Stripe: no real money" },
    blank,
    { text: `From ${summary.seller}, ${formatTime(invoice.status_transitions.finalized_at ?? invoice.created)}` },
    ...(paidAt === null ? [] : [{ text: `Paid on ${formatTime(paidAt)}` }]),
    blank,
    ...summary.billedTo.map((text) => ({ text })),
    blank,
    ...rows(summary.lines),
    blank,
    ...rows(summary.sums),
  ]);
  return new Response(file, {
    headers: {
      "content-type": "application/pdf",
      "content-disposition": `inline; filename="${(invoice.number ?? invoice.id).replaceAll(/[^\w-]/g, "")}.pdf"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
