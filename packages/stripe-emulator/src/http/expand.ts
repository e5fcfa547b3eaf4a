import type { Transaction } from "../transaction.ts";
import { firstPage, wholeList } from "./lists.ts";
import { lineItemsOf } from "../objects/checkout/checkout-line-items.ts";
import { intentOf, paymentsOf } from "../objects/invoices/invoice-payments.ts";
import { refundsOf } from "../objects/payments/refund-shape.ts";
import { taxIdsOf } from "../objects/customers/tax-ids.ts";
import { invalid } from "./stripe-errors.ts";

/** Stripe counts every name of the path, including `data`. Deeper paths fail in production, so they fail here. */
const LEVELS_MAX = 4;

/** Fields that Stripe leaves out unless they are expanded. */
const INCLUDABLE: Record<string, (tx: Transaction, id: string) => unknown> = {
  "checkout.session.line_items": (tx, id) => {
    const session = tx.store.find("checkout_session", id);
    return session === null ? null : wholeList(`/v1/checkout/sessions/${id}/line_items`, lineItemsOf(tx, session));
  },
  "invoice.payments": (tx, id) => {
    const invoice = tx.store.find("invoice", id);
    return invoice === null ? null : wholeList(`/v1/invoice_payments?invoice=${id}`, paymentsOf(tx, invoice));
  },
  "invoice.confirmation_secret": (tx, id) => {
    const invoice = tx.store.find("invoice", id);
    const secret = invoice === null ? null : (intentOf(tx, invoice)?.client_secret ?? null);
    return secret === null ? null : { client_secret: secret, type: "payment_intent" };
  },
  "charge.refunds": (tx, id) => {
    const charge = tx.store.find("charge", id);
    return charge === null ? null : firstPage(`/v1/charges/${id}/refunds`, refundsOf(tx, charge));
  },
  "customer.tax_ids": (tx, id) => {
    const customer = tx.store.find("customer", id);
    return customer === null ? null : wholeList(`/v1/customers/${id}/tax_ids`, taxIdsOf(tx, customer));
  },
  "customer.subscriptions": (tx, id) =>
    wholeList(
      `/v1/customers/${id}/subscriptions`,
      [...tx.store.newestFirst("subscription", id)].filter((subscription) => subscription.status !== "canceled"),
    ),
};

/** Replaces the ids along each path with the objects they name. Works on a copy: stored objects keep their ids. */
export function expand(tx: Transaction, answer: object, paths: string[]): object {
  if (paths.length === 0) return answer;
  const copy: object = structuredClone(answer);
  for (const path of paths) {
    const names = path.split(".");
    if (names.length > LEVELS_MAX) {
      throw invalid(`You cannot expand more than ${LEVELS_MAX} levels of a property. Property: ${path}`, {
        code: "property_expansion_max_depth",
        param: "expand",
      });
    }
    expandPath(tx, copy, names, path);
  }
  return copy;
}

function expandPath(tx: Transaction, value: unknown, [name, ...rest]: string[], path: string): void {
  if (name === undefined || value === null || typeof value !== "object") return;
  if (Array.isArray(value)) {
    for (const item of value) expandPath(tx, item, [name, ...rest], path);
    return;
  }
  const expanded = expandedField(tx, value, name, path);
  Reflect.set(value, name, expanded);
  expandPath(tx, expanded, rest, path);
}

function expandedField(tx: Transaction, holder: object, name: string, path: string): unknown {
  const field: unknown = Reflect.get(holder, name);
  if (typeof field === "string") {
    const named = tx.store.findAny(field);
    if (named === null) throw cannotExpand(path);
    return structuredClone(named);
  }
  if (Array.isArray(field))
    return field.map((item: unknown) => (typeof item === "string" ? (tx.store.findAny(item) ?? item) : item));
  if (field !== undefined) return field;
  const kind: unknown = Reflect.get(holder, "object");
  const id: unknown = Reflect.get(holder, "id");
  const include = INCLUDABLE[`${String(kind)}.${name}`];
  if (include !== undefined) return include(tx, String(id));
  // Optional fields that this object doesn't have, e.g. a payment without a payment intent.
  if (Object.keys(holder).length > 0 && kind === undefined) return undefined;
  throw cannotExpand(path);
}

const cannotExpand = (path: string) => invalid(`This property cannot be expanded (${path}).`, { param: "expand" });
