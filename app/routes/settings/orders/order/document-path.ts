import { href } from "react-router";
import { documentNumber, type IssuedDocument } from "#app/modules/billing/documents/rules.ts";

/** Query parameter: the number of a credit note of the order. */
export const creditNoteParameter = "credit-note";

/** The page of an invoice or a credit note, to be printed. */
export function documentPath(document: IssuedDocument): string {
  const { orderId: order, kind } = document;
  const query = new URLSearchParams({ order });
  if (kind === "credit-note") query.set(creditNoteParameter, documentNumber(document));
  return `${href("/settings/orders/receipt")}?${query}`;
}
