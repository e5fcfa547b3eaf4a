import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { settle } from "../../money/currencies.ts";
import { disorderOf } from "../../http/disorder.ts";
import { changeBalance } from "../../objects/customers/customer-balance.ts";
import { demand, idOf } from "../../objects/demand.ts";

/**
 * The customer's balance at checkout. Stripe documents two ways to post it: with the invoice, like any other, or with the session, before
 * there is an invoice (`checkout_session_subscription_payment`), reversed if nothing comes of the session. `creditAtCheckout` on the
 * control page chooses; the invoice is the default.
 */

/** The amount due in this session after the balance. */
export function dueAtCheckout(tx: Transaction, session: Stripe.Checkout.Session): number {
  const total = session.amount_total ?? 0;
  const taken = takenBy(tx, session);
  return taken === 0 ? settle(total, customerOf(tx, session).balance, session.currency ?? "").due : total - taken;
}

/** The customer tries to pay: from here on the session holds the balance, if that is how it is posted. */
export function holdCredit(tx: Transaction, session: Stripe.Checkout.Session): void {
  if (disorderOf(tx.store).creditAtCheckout !== "session" || takenBy(tx, session) !== 0) return;
  const total = session.amount_total ?? 0;
  move(tx, session, total - dueAtCheckout(tx, session), "checkout_session_subscription_payment");
}

/** The session, or its invoice, ended unpaid. */
export function releaseCredit(tx: Transaction, session: Stripe.Checkout.Session): void {
  move(tx, session, -takenBy(tx, session), "checkout_session_subscription_payment_canceled");
}

/** What the session holds of the balance. A negative amount is a debt that was added. */
export function takenBy(tx: Transaction, session: Stripe.Checkout.Session): number {
  const transactions = [...tx.store.newestFirst("customer_balance_transaction", customerOf(tx, session).id)];
  const own = transactions.filter(({ checkout_session: id }) => id !== null && idOf(id) === session.id);
  return own.reduce((sum, { amount }) => sum + amount, 0);
}

export function sessionOf(tx: Transaction, invoice: Stripe.Invoice): Stripe.Checkout.Session | null {
  if (invoice.billing_reason !== "subscription_create" || invoice.customer === null) return null;
  const sessions = [...tx.store.newestFirst("checkout_session", idOf(invoice.customer))];
  return sessions.find((session) => session.invoice !== null && idOf(session.invoice) === invoice.id) ?? null;
}

function move(
  tx: Transaction,
  session: Stripe.Checkout.Session,
  amount: number,
  type: Stripe.CustomerBalanceTransaction.Type,
): void {
  if (amount === 0) return;
  const currency = session.currency ?? "";
  changeBalance(tx, customerOf(tx, session), { amount, currency, type, checkoutSession: session.id });
}

const customerOf = (tx: Transaction, session: Stripe.Checkout.Session): Stripe.Customer =>
  demand(tx, "customer", demand(tx, "checkout_progress", `progress_of_${session.id}`).customer);
