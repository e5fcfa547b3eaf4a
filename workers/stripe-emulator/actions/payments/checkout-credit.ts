import type Stripe from "stripe";
import type { Books } from "../../books.ts";
import { settle } from "../../money/currencies.ts";
import { disorderOf } from "../../http/disorder.ts";
import { changeBalance } from "../../objects/customers/customer-balance.ts";
import { demand, idOf } from "../../objects/find.ts";

/**
 * The customer's balance at checkout. Stripe documents two ways to book it: with the invoice, like any other, or with the session, before
 * there is an invoice (`checkout_session_subscription_payment`), reversed if nothing comes of the session. `creditAtCheckout` on the
 * control page chooses; the invoice is the default.
 */
/** The amount due in this session after the balance. */
export function dueAtCheckout(books: Books, session: Stripe.Checkout.Session): number {
  const total = session.amount_total ?? 0;
  const taken = takenBy(books, session);
  return taken === 0 ? settle(total, customerOf(books, session).balance, session.currency ?? "").due : total - taken;
}

/** The customer tries to pay: from here on the session holds the balance, if that is how it is booked. */
export function holdCredit(books: Books, session: Stripe.Checkout.Session): void {
  if (disorderOf(books.store).creditAtCheckout !== "session" || takenBy(books, session) !== 0) return;
  const total = session.amount_total ?? 0;
  move(books, session, total - dueAtCheckout(books, session), "checkout_session_subscription_payment");
}

/** The session, or its invoice, ended unpaid. */
export function releaseCredit(books: Books, session: Stripe.Checkout.Session): void {
  move(books, session, -takenBy(books, session), "checkout_session_subscription_payment_canceled");
}

/** What the session holds of the balance; below zero, a debt that was added. */
export function takenBy(books: Books, session: Stripe.Checkout.Session): number {
  const moves = [...books.store.newestFirst("customer_balance_transaction", customerOf(books, session).id)];
  const own = moves.filter(({ checkout_session: id }) => id !== null && idOf(id) === session.id);
  return own.reduce((sum, { amount }) => sum + amount, 0);
}

/** The session that this invoice belongs to. */
export function sessionOf(books: Books, invoice: Stripe.Invoice): Stripe.Checkout.Session | null {
  if (invoice.billing_reason !== "subscription_create" || invoice.customer === null) return null;
  const sessions = [...books.store.newestFirst("checkout_session", idOf(invoice.customer))];
  return sessions.find((session) => session.invoice !== null && idOf(session.invoice) === invoice.id) ?? null;
}

function move(
  books: Books,
  session: Stripe.Checkout.Session,
  amount: number,
  type: Stripe.CustomerBalanceTransaction.Type,
): void {
  if (amount === 0) return;
  const currency = session.currency ?? "";
  changeBalance(books, customerOf(books, session), { amount, currency, type, checkoutSession: session.id });
}

const customerOf = (books: Books, session: Stripe.Checkout.Session): Stripe.Customer =>
  demand(books, "customer", demand(books, "checkout_progress", `progress_of_${session.id}`).customer);
