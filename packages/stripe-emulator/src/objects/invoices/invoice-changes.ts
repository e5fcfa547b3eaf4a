import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { route } from "../../http/routing.ts";
import { differences } from "../customers/customers.ts";
import { demand } from "../demand.ts";

/** Once an invoice is finalized or paid, only its notes can still change. */
export const invoiceChangeRoutes = [route("POST", "/v1/invoices/:id", (form) => form.metadata(), changeNotes)];

function changeNotes(tx: Transaction, metadata: Record<string, string> | undefined, id = ""): Stripe.Invoice {
  const before = demand(tx, "invoice", id);
  const after: Stripe.Invoice = { ...before, metadata: mergeMetadata(before.metadata ?? {}, metadata) };
  tx.store.put("invoice", after);
  tx.record("invoice.updated", after, differences(before, after));
  return after;
}
