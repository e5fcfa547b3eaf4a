import type { Transaction } from "../transaction.ts";
import { missingObject, missingReference } from "../http/stripe-errors.ts";
import type { Kind, Kinds } from "../store.ts";

/** The noun in Stripe's "No such …". */
const NOUNS: Partial<Record<Kind, string>> = {
  balance_transaction: "balance transaction",
  billing_portal_configuration: "configuration",
  checkout_session: "checkout.session",
  credit_note: "credit note",
  invoice_item: "invoiceitem",
  payment_method: "PaymentMethod",
  promotion_code: "promotion code",
  subscription_schedule: "subscription schedule",
};
const nounOf = (kind: Kind): string => NOUNS[kind] ?? kind;

/** The object that the path names, or 404. */
export function demand<K extends Kind>(tx: Transaction, kind: K, id: string): Kinds[K] {
  const object = tx.store.find(kind, id);
  if (object === null) throw missingObject(nounOf(kind), id);
  return object;
}

/** The object that a parameter names, or 400. */
export function refer<K extends Kind>(tx: Transaction, kind: K, id: string, param: string): Kinds[K] {
  const object = tx.store.find(kind, id);
  if (object === null) throw missingReference(nounOf(kind), id, param);
  return object;
}

export const idOf = (reference: string | { id: string }): string =>
  typeof reference === "string" ? reference : reference.id;
