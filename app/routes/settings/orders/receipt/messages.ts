import type { Messages } from "#app/core/messages.ts";
import type { CreditNoteReason, DocumentKind } from "#app/modules/billing/documents/rules.ts";

const headings = { invoice: "Invoice", "credit-note": "Credit note" } satisfies Record<DocumentKind, string>;

const en = {
  /** Shown in the browser's tab, and the name of a printed file. */
  title: (kind: DocumentKind, number: string) => `${headings[kind]} ${number}`,
  headings,
  number: "Number",
  /** Before a number. */
  corrects: (reason: CreditNoteReason | null) =>
    reason === "refund-returned" || reason === "dispute-won" ? "Takes back credit note" : "Corrects invoice",
  issuedOn: "Date of issue",
  paidOn: "Paid on",
  questions: "Questions?",
  print: "Print",
  toPrint: "To keep a copy, print this page or save it as a PDF in your browser.",
};

export const orderReceiptMessages: Messages<typeof en> = { en };
