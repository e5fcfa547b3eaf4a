import type Stripe from "stripe";
import type { Transaction } from "../transaction.ts";
import { idOf } from "../objects/demand.ts";
import { StripeRefusal } from "../http/stripe-errors.ts";

/** What a charge was for, as far as can be determined: Stripe no longer links any of these to it directly. */
interface Purpose {
  invoice: Stripe.Invoice | null;
  session: Stripe.Checkout.Session | null;
  /** Every id by which the site or a developer may name it. */
  names: string[];
}

export function purposeOf(
  { store, orderKeys }: Pick<Transaction, "store" | "orderKeys">,
  charge: Stripe.Charge,
): Purpose {
  const customer = charge.customer === null ? undefined : idOf(charge.customer);
  const intentId = charge.payment_intent === null ? null : idOf(charge.payment_intent);
  const intent = intentId === null ? null : store.find("payment_intent", intentId);
  const payment = first(
    store.newestFirst("invoice_payment", customer),
    (each) => each.payment.payment_intent === intentId,
  );
  const invoice = payment === null ? null : store.find("invoice", idOf(payment.invoice));
  const session =
    invoice === null
      ? null
      : first(store.newestFirst("checkout_session", customer), (each) => each.invoice === invoice.id);
  return {
    invoice,
    session,
    names: [
      ...[invoice, session, intent, charge].flatMap((object) => orderNames(orderKeys, object?.metadata ?? null)),
      session?.client_reference_id,
      charge.id,
      intentId,
      invoice?.id,
      invoice?.number,
      session?.id,
    ].filter((name) => typeof name === "string"),
  };
}

/** The payment of an order; the newest if several carry its id. */
export function chargeOfOrder(tx: Transaction, name: string): Stripe.Charge {
  const charge = first(
    tx.store.newestFirst("charge"),
    (each) => each.status !== "failed" && purposeOf(tx, each).names.includes(name),
  );
  if (charge !== null) return charge;
  throw new StripeRefusal(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No payment of an order '${name}'.`,
    param: "order",
  });
}

const orderNames = (keys: readonly string[], metadata: Stripe.Metadata | null): string[] =>
  keys.flatMap((key) => metadata?.[key] ?? []).filter((name) => name !== "");

function first<T>(items: Iterable<T>, isWanted: (item: T) => boolean): T | null {
  for (const item of items) if (isWanted(item)) return item;
  return null;
}
