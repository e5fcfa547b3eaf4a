import type { Messages } from "#app/core/messages.ts";
import type { DocumentKind } from "#app/modules/documents/rules.ts";

const headings = { invoice: "Invoice", "credit-note": "Credit note" } satisfies Record<DocumentKind, string>;

const en = {
  /** Shown in the browser's tab, and the name of a printed file. */
  title: (kind: DocumentKind, number: string) => `${headings[kind]} ${number}`,
  headings,
  number: "Number",
  corrects: "Corrects",
  paidOn: "Paid on",
  /** For a credit note, and for an order without a payment. */
  date: "Date",
  questions: "Questions?",
  corrections: "Credit notes",
  print: "Print",
  toPrint: "To keep a copy, print this page or save it as a PDF in your browser.",
};

export const orderReceiptMessages: Messages<typeof en> = { en };
