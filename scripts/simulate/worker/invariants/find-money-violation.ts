import type Stripe from "stripe";
import type { Broken } from "../../story.ts";
import type { Cast } from "../cast.ts";
import { findRefundViolation } from "./find-refund-violation.ts";
import { type Books, minor, readStripeBooks, type Rows } from "./read-stripe-books.ts";
import type { World } from "../world.ts";

type Entry = { account: string; amountMinor: number };

/** The books in double entry, compared with Stripe's own objects. Holds once everything has settled. */
export async function findMoneyViolation(world: World, cast: Cast): Promise<Broken | null> {
  const rows = await world.records.queries({
    orders: "select * from orders order by created_at, id",
    lines: "select order_id, sum(amount_minor) as amount_minor from order_lines group by 1",
    customers: "select * from customers",
    credit: "select account_id, sum(amount_minor) as amount_minor from ledger_lines group by 1",
    discounts: "select * from friend_discounts where state = 'paid' and amount_minor > 0",
    withdrawals: `select w.id, w.order_id, w.declared_at, w.closed_at, w.declared_by, w.state from withdrawals w where w.order_id is not null`,
    subscriptions: "select * from subscriptions",
  });
  const stripe = readStripeBooks(world.records);
  return (
    paymentsAgree(rows, stripe) ??
    booksBalance(rows, stripe) ??
    creditAgrees(rows, stripe) ??
    quotesHold(rows, cast) ??
    debtsCanBePaid(stripe) ??
    discountsOnce(rows, stripe, cast) ??
    findRefundViolation(rows, stripe, cast)
  );
}

/** Each charge is one paid order, with the same amount and the same refunds; and the other way round. */
function paymentsAgree({ orders = [] }: Rows, { chargedTo, backOf }: Books): Broken | null {
  const paid = new Map(orders.filter((row) => row.number_year !== null).map((row) => [String(row.invoice_id), row]));
  for (const [invoice, charge] of chargedTo) {
    const order = paid.get(invoice);
    const expected = { charged: charge.amount, refunded: backOf.get(charge.id) ?? 0 };
    const stored = { charged: minor(order?.amount_minor), refunded: minor(order?.refunded_minor) };
    if (expected.charged !== stored.charged)
      return {
        invariant: "what Stripe charged is what the orders say",
        details: { invoice, order: order?.id, expected, stored },
      };
    if (expected.refunded !== stored.refunded)
      return {
        invariant: "what Stripe refunded is what the orders say",
        details: { invoice, order: order?.id, expected, stored },
      };
  }
  for (const [invoice, order] of paid) {
    if (minor(order.amount_minor) > 0 && !chargedTo.has(invoice))
      return { invariant: "each paid order was charged at Stripe", details: { invoice, order: order.id } };
  }
  return null;
}

/** Debits and credits of the orders: cash, sales, refunds and credit used. Each order's entries add up to nothing. */
function booksBalance({ orders = [], lines = [] }: Rows, { invoices }: Books): Broken | null {
  const sold = new Map(lines.map((row) => [row.order_id, minor(row.amount_minor)]));
  for (const order of orders.filter((row) => row.number_year !== null)) {
    const entries: Entry[] = [
      { account: "cash", amountMinor: minor(order.amount_minor) },
      { account: "credit of customers", amountMinor: minor(order.credit_minor) },
      { account: "debt to the next invoice", amountMinor: carriedBy(invoices.get(String(order.invoice_id))) },
      { account: "discounts", amountMinor: minor(order.discount_minor) },
      { account: "sales", amountMinor: -(sold.get(order.id) ?? 0) },
    ];
    const sum = entries.reduce((total, { amountMinor }) => total + amountMinor, 0);
    if (sum !== 0)
      return {
        invariant: "each order balances in double entry",
        details: { order: order.id, kind: order.kind, entries },
      };
  }
  return null;
}

/** What is too little to be charged alone is a debt, which Stripe adds to the next invoice. */
function carriedBy(invoice: Stripe.Invoice | undefined): number {
  if (!invoice) return 0;
  return Math.max(0, invoice.ending_balance ?? 0) - Math.max(0, invoice.starting_balance);
}

/** Credit in our ledger, in our copy of the balance, and at Stripe. */
function creditAgrees({ customers = [], credit = [] }: Rows, books: Books): Broken | null {
  const ledger = new Map(credit.map((row) => [row.account_id, minor(row.amount_minor)]));
  const balances = new Map(books.customers.map(({ id, balance }) => [id, -balance]));
  for (const row of customers) {
    const atStripe = balances.get(String(row.provider_id));
    if (atStripe === undefined) continue;
    const stored = minor(row.credit_minor);
    const inLedger = ledger.get(row.account_id) ?? 0;
    if (atStripe !== stored) return { invariant: "credit is the same here and at Stripe", details: { row, atStripe } };
    // A debt at Stripe is no credit.
    if (inLedger !== Math.max(0, atStripe))
      return {
        invariant: "the ledger's credit is Stripe's balance",
        details: { account: row.account_id, inLedger, atStripe },
      };
  }
  return null;
}

function quotesHold({ orders = [] }: Rows, { quoted }: Cast): Broken | null {
  for (const order of orders.filter((row) => row.number_year !== null)) {
    const amountMinor = quoted.get(String(order.id));
    // Credit was used or taken back between the quote and the payment: operators see it as a mismatch.
    if (amountMinor !== undefined && amountMinor !== minor(order.amount_minor) && order.failure !== "mismatch")
      return {
        invariant: "what was quoted is what was charged",
        details: { order: order.id, quoted: amountMinor, charged: order.amount_minor },
      };
  }
  return null;
}

/** A plan that Stripe has given up collecting owes an open invoice: a draft can't be paid, and would keep the plan locked. */
function debtsCanBePaid({ subscriptions, invoices }: Books): Broken | null {
  const open = [...invoices.values()].filter(({ status }) => status === "open");
  const owing = new Set(open.map(({ parent }) => String(parent?.subscription_details?.subscription)));
  const stuck = subscriptions.find(({ id, status }) => status === "unpaid" && !owing.has(id));
  return stuck ? { invariant: "an open debt can be paid", details: { subscription: stuck.id } } : null;
}

/**
 * Discounts that no operator decided: a mailbox gets one, and so does a payment method, which no one else had paid with before. By the addresses that
 * people typed, and by Stripe's charges.
 */
function discountsOnce({ discounts = [] }: Rows, { refunds, charges }: Books, cast: Cast): Broken | null {
  const mailboxes = new Map<string, unknown>();
  for (const discount of discounts.filter(({ decision }) => decision === null)) {
    const charge = charges.find(({ id }) => id === refunds.find((refund) => refund.id === discount.refund_id)?.charge);
    if (!charge) return { invariant: "each discount that was paid is a refund at Stripe", details: discount };
    const method = methodOf(charge);
    const before = charges.find(
      (other) =>
        method !== null &&
        methodOf(other) === method &&
        other.customer !== charge.customer &&
        other.created < charge.created,
    );
    if (before)
      return {
        invariant: "a friend discount is for a new payment method",
        details: { method, discount: discount.referral_id },
      };
    const mailbox = cast.mailboxOf(String(discount.friend_id));
    if (mailbox === null) continue;
    const other = mailboxes.get(mailbox);
    if (other)
      return {
        invariant: "a mailbox gets one friend discount",
        details: { mailbox, friends: [other, discount.friend_id] },
      };
    mailboxes.set(mailbox, discount.friend_id);
  }
  return null;
}

const methodOf = ({ payment_method_details: details }: Stripe.Charge): string | null =>
  details?.card?.fingerprint ?? details?.sepa_debit?.fingerprint ?? null;
