import type Stripe from "stripe";
import { secondMs } from "#app/core/time/time.ts";
import type { Broken } from "../../story.ts";
import type { Cast } from "../people/cast.ts";
import { findDashboardViolation, findSettledDashboardViolation } from "./find-dashboard-violation.ts";
import { findContractViolation } from "./find-contract-violation.ts";
import { findRefundViolation } from "./find-refund-violation.ts";
import { type Books, minor, readStripeBooks, type Rows } from "./read-stripe-books.ts";
import type { World } from "../world.ts";

type Entry = { account: string; amountMinor: number };

const read = async (world: World): Promise<{ rows: Rows; stripe: Books }> => ({
  rows: await world.records.queries({
    orders: "select * from orders order by created_at, id",
    lines: "select order_id, sum(amount_minor) as amount_minor from order_lines group by 1",
    customers: "select * from customers",
    credit: "select account_id, sum(amount_minor) as amount_minor from ledger_lines group by 1",
    discounts: "select * from friend_discounts where state = 'paid' and amount_minor > 0",
    withdrawals: `select w.id, w.order_id, w.declared_at, w.closed_at, w.declared_by, w.state from withdrawals w where w.order_id is not null`,
    subscriptions: "select * from subscriptions",
  }),
  stripe: readStripeBooks(world.records),
});

/** What no webhook that is still on its way can excuse. The site may not know yet what Stripe did, but all that it says, Stripe did. */
export async function findMoneyViolation(world: World, cast: Cast): Promise<Broken | null> {
  const { rows, stripe } = await read(world);
  return (
    chargedOnce(stripe) ??
    ordersWereCharged(rows, stripe) ??
    paidAtStripesTime(rows, stripe, world.product.timeZone) ??
    booksBalance(rows, stripe) ??
    quotesHold(rows, stripe, cast) ??
    discountsOnce(rows, stripe, cast) ??
    findDashboardViolation(world)
  );
}

/** The books in double entry and our copies of Stripe's objects, which are equal once everything has settled. */
export async function findSettledMoneyViolation(world: World, cast: Cast): Promise<Broken | null> {
  const { rows, stripe } = await read(world);
  return (
    chargesHaveOrders(rows, stripe) ??
    creditAgrees(rows, stripe) ??
    plansAgree(rows, stripe) ??
    debtsCanBePaid(stripe) ??
    findRefundViolation(rows, stripe, cast) ??
    findContractViolation(rows, stripe) ??
    findSettledDashboardViolation(world, rows, stripe)
  );
}

/** Every charge is for an invoice, and no invoice is charged more than once. */
function chargedOnce({ strayCharges, chargedTo, invoices }: Books): Broken | null {
  if (strayCharges.length > 0) return { invariant: "each charge is for an invoice", details: strayCharges.slice(0, 3) };
  for (const [invoice, { amountMinor, charges }] of chargedTo) {
    const paidMinor = invoices.get(invoice)?.amount_paid ?? 0;
    if (charges.length > 1 || amountMinor > paidMinor)
      return { invariant: "an invoice is charged once", details: { invoice, charges, amountMinor, paidMinor } };
  }
  return null;
}

const paidOrders = ({ orders = [] }: Rows) =>
  new Map(orders.filter((row) => row.number_year !== null).map((row) => [String(row.invoice_id), row]));

/** A paid order was charged with its amount, and Stripe refunded at least what the order says. */
function ordersWereCharged(rows: Rows, { chargedTo }: Books): Broken | null {
  for (const [invoice, order] of paidOrders(rows)) {
    const charged = chargedTo.get(invoice);
    const details = { invoice, order: order.id, charged, stored: order.amount_minor, back: order.refunded_minor };
    if (minor(order.amount_minor) !== (charged?.amountMinor ?? 0))
      return { invariant: "each paid order was charged at Stripe, with its amount", details };
    if (minor(order.refunded_minor) > (charged?.backMinor ?? 0))
      return { invariant: "what the orders say was refunded, Stripe refunded", details };
  }
  return null;
}

/** An order is paid when Stripe says that its invoice was, and its number belongs to that year of the seller's calendar. */
function paidAtStripesTime(rows: Rows, { invoices }: Books, timeZone: string): Broken | null {
  const yearOf = new Intl.DateTimeFormat("en", { timeZone, year: "numeric" });
  for (const [invoiceId, order] of paidOrders(rows)) {
    const paidAt = invoices.get(invoiceId)?.status_transitions.paid_at;
    if (paidAt == null) continue;
    const atMs = paidAt * secondMs;
    if (Number(order.paid_at) !== atMs || String(order.number_year) !== yearOf.format(atMs))
      return {
        invariant: "an order is paid when its invoice was, and its number is of that year",
        details: { order: order.id, paidAt: order.paid_at, year: order.number_year, atStripe: atMs },
      };
  }
  return null;
}

/** Each charge is one paid order, with the same refunds. */
function chargesHaveOrders(rows: Rows, { chargedTo }: Books): Broken | null {
  const paid = paidOrders(rows);
  for (const [invoice, charge] of chargedTo) {
    const order = paid.get(invoice);
    const stored = { charged: minor(order?.amount_minor), refunded: minor(order?.refunded_minor) };
    if (charge.amountMinor !== stored.charged)
      return {
        invariant: "what Stripe charged is what the orders say",
        details: { invoice, order: order?.id, charge, stored },
      };
    if (charge.backMinor !== stored.refunded)
      return {
        invariant: "what Stripe refunded is what the orders say",
        details: { invoice, order: order?.id, charge, stored },
      };
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

/** An amount too small to be charged alone is a debt, which Stripe adds to the next invoice. */
function carriedBy(invoice: Stripe.Invoice | undefined): number {
  if (!invoice) return 0;
  return Math.max(0, invoice.ending_balance ?? 0) - Math.max(0, invoice.starting_balance);
}

/** Credit is the same in our ledger, in our copy of the balance, and at Stripe. */
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

/**
 * What was quoted is what Stripe charged for it. Credit that was used or taken back between the quote and the payment changes the amount by as much:
 * Stripe's invoice says what the balance was.
 */
function quotesHold(rows: Rows, { invoices, chargedTo }: Books, { quoted }: Cast): Broken | null {
  for (const [invoiceId, order] of paidOrders(rows)) {
    const quote = quoted.get(String(order.id));
    const invoice = invoices.get(invoiceId);
    if (!quote || !invoice) continue;
    const chargedMinor = chargedTo.get(invoiceId)?.amountMinor ?? 0;
    const differenceMinor = Math.abs(chargedMinor - quote.amountMinor);
    if (differenceMinor > Math.abs(invoice.starting_balance - quote.balanceMinor))
      return {
        invariant: "what was quoted is what was charged",
        details: { order: order.id, quote, chargedMinor, balanceMinor: invoice.starting_balance },
      };
  }
  return null;
}

/** A plan that runs at Stripe is the account's plan here, and one that has ended there has ended here. */
function plansAgree({ subscriptions: plans = [], customers = [] }: Rows, books: Books): Broken | null {
  const known = new Map(plans.map((plan) => [String(plan.id), plan]));
  const owned = new Set(customers.map((row) => String(row.provider_id)));
  const unpaidFirst = new Set(
    [...books.invoices.values()]
      .filter((invoice) => invoice.billing_reason === "subscription_create" && invoice.status === "open")
      .map(({ parent }) => String(parent?.subscription_details?.subscription)),
  );
  for (const { id, status, customer, items } of books.subscriptions) {
    if (!owned.has(String(customer))) continue;
    const plan = known.get(id);
    const atStripe = { status, plan: books.plans.get(items.data[0]?.price.id ?? "") };
    // Stripe calls a plan active while its first bank debit is processing; here it has to be paid first.
    const expected = unpaidFirst.has(id) ? "incomplete" : "active";
    const isSame =
      status === "active"
        ? plan?.state === expected && plan.plan_id === atStripe.plan
        : status !== "canceled" || plan === undefined || plan.state === "ended";
    if (!isSame)
      return {
        invariant: "a plan here is the plan at Stripe",
        details: { subscription: id, atStripe, here: [plan?.state, plan?.plan_id] },
      };
  }
  return null;
}

/**
 * A plan whose renewal failed owes an open invoice, unless it is on hold: a draft can't be paid, and would keep the plan locked. A draft
 * from a time on hold also does so until the next period, if the team voids what came after it.
 */
function debtsCanBePaid({ subscriptions, invoices }: Books): Broken | null {
  const open = [...invoices.values()].filter(({ status }) => status === "open");
  const owing = new Set(open.map(({ parent }) => String(parent?.subscription_details?.subscription)));
  const isOf = (id: string, invoice: Stripe.Invoice) =>
    String(invoice.parent?.subscription_details?.subscription) === id;
  const hasOldDraft = (id: string) => {
    const own = [...invoices.values()].filter((invoice) => isOf(id, invoice));
    const newestDraft = own.findLast(({ status }) => status === "draft");
    return own.some(({ status, created }) => status === "void" && created > (newestDraft?.created ?? Infinity));
  };
  const stuck = subscriptions.find(
    ({ id, status, pause_collection: pause }) =>
      ["unpaid", "past_due"].includes(status) && pause === null && !owing.has(id) && !hasOldDraft(id),
  );
  return stuck ? { invariant: "an open debt can be paid", details: { subscription: stuck.id } } : null;
}

/**
 * Discounts that no operator decided: a mailbox gets only one, and so does a payment method, with which no one else may have paid before.
 * Compares the addresses that people typed with Stripe's charges.
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
