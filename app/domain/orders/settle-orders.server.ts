import type { App, Billing, Statement } from "#app/context.ts";
import type { Account } from "#app/domain/accounts/rules.ts";
import { findAccount, readAccount } from "#app/domain/accounts/store.server.ts";
import { newId } from "#app/domain/kernel/id.ts";
import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import { deliverMail } from "#app/domain/mail/deliver-mail.server.ts";
import { followAddress } from "#app/domain/plans/follow-address.server.ts";
import { endStillborn, subscriptionStatements } from "#app/domain/plans/follow-subscriptions.server.ts";
import { findCustomer, listSubscriptions, readSubscription } from "#app/domain/plans/store.server.ts";
import { lettersFor, type MoneyNews } from "./money-letters.server.ts";
import { bookingYear, isOpen, judgePurchase, type Order, type OrderState } from "./rules.ts";
import { addPaidOrder, type Payment, payOrder } from "./payments.store.server.ts";
import { changeOrderState, confirmOrderState, type Finding, listOrders, readOrder } from "./store.server.ts";

export type Powers = Pick<
  App,
  "db" | "clock" | "random" | "pepper" | "origin" | "product" | "payments" | "mail" | "later" | "report"
>;
type Invoice = Billing["invoices"][number];

export type SettleRefusal =
  | { reason: "no-customer" }
  | { reason: "not-on-sale" }
  | { reason: "provider-unreachable"; isFinal: boolean }
  | { reason: "provider-refused"; code: string };

/**
 * The one sync of an account with the payment provider: fetches what is true there and brings our rows to it. Events,
 * payment pages and the sweep all end here. However often, in whatever order and however many at once it runs, the rows
 * end the same: every statement names the states it may leave, and each mail goes by the name of its cause.
 */
export async function settleOrders(app: Powers, accountId: string): Promise<Result<null, SettleRefusal>> {
  const { db, payments } = app;
  if (!payments) return refused({ reason: "not-on-sale" });
  const [customers, accounts, rows, subscriptions] = await db.batch([
    findCustomer(db, accountId),
    findAccount(db, accountId),
    listOrders(db, accountId, null),
    listSubscriptions(db, accountId),
  ]);
  const [customer] = customers;
  const [account] = accounts.map(readAccount);
  if (!customer || !account) return refused({ reason: "no-customer" });
  const askedAt = app.clock();
  const fetched = await payments.fetchBilling(customer.providerId);
  if (!fetched.ok) return fetched;
  const stillborn = await endStillborn(payments, fetched.value);
  if (!stillborn.ok) return stillborn;
  const orders = rows.map(readOrder);
  const changes = orders.flatMap((order) => changesOf(app, order, fetched.value, askedAt));
  const statements: Statement[] = [];
  for (const change of changes) statements.push(...statementsFor(app, change));
  const stored = subscriptions.map(readSubscription);
  // Paid, but not what was asked for: what came of that checkout is not granted until somebody has looked.
  const withheld = changes.flatMap((change) => (change.kind === "mismatch" ? [change.subscriptionId] : []));
  statements.push(...subscriptionStatements(app, accountId, { stored, withheld }, fetched.value, askedAt));
  statements.push(...unbidden(app, account, orders, fetched.value));
  const mails = await lettersFor(app, account, changes.flatMap(newsOf));
  const [first, ...others] = [...statements, ...mails.statements];
  if (first) await db.batch([first, ...others]);
  for (const id of mails.ids) app.later(deliverMail(app, id));
  await followAddress(app, payments, { customerId: customer.providerId, account }, fetched.value);
  return done(null);
}

type Change =
  | { kind: "paid"; order: Order; payment: Payment }
  | { kind: "moved"; order: Order; to: Exclude<OrderState, "paid">; failure: string | null; finding: Finding }
  | { kind: "quiet"; order: Order; finding: Finding }
  | { kind: "mismatch"; order: Order; subscriptionId: string | null };

/** Our order's checkout: by its id, or by ours on it, where the answer that brought its id was lost. */
function checkoutOf(order: Order, billing: Billing) {
  return billing.checkouts.find(({ id, orderId }) => id === order.checkoutId || orderId === order.id) ?? null;
}

/** What the provider's facts change about one of our orders; nothing for those that never had a checkout. */
function changesOf(app: Powers, order: Order, billing: Billing, askedAt: number): Change[] {
  const checkout = checkoutOf(order, billing);
  if (!checkout || order.paidAt !== null) return [];
  const invoice = billing.invoices.find((candidate) => candidate.id === checkout.invoiceId) ?? null;
  const attempts = billing.payments
    .filter((payment) => payment.createdAt >= checkout.createdAt)
    .sort((left, right) => right.createdAt - left.createdAt);
  const verdict = judgePurchase(order, { checkout, invoice, attempts });
  const finding = { checkoutId: checkout.id, checkoutUrl: checkout.url, askedAt };
  if (verdict.state === "mismatch") {
    app.report(new Error(`Order ${order.id} was paid with another amount or currency than it asked for`));
    return [{ kind: "mismatch", order, subscriptionId: checkout.subscriptionId }];
  }
  if (verdict.state === "paid") {
    return invoice ? [{ kind: "paid", order, payment: paymentOf(app, invoice, checkout.id) }] : [];
  }
  if (verdict.state === order.state) return isOpen(order.state) ? [{ kind: "quiet", order, finding }] : [];
  return [{ kind: "moved", order, to: verdict.state, failure: verdict.failure, finding }];
}

/** What of a change is worth a word to the person. */
function newsOf(change: Change): MoneyNews[] {
  const { order } = change;
  if (change.kind === "paid") return [{ order, to: "paid", amountMinor: change.payment.amountMinor }];
  return change.kind === "moved" ? [{ order, to: change.to, amountMinor: order.amountMinor }] : [];
}

function statementsFor(app: Powers, change: Change): Statement[] {
  const now = app.clock();
  switch (change.kind) {
    case "paid":
      return [...payOrder(app.db, change.order.id, change.payment, now)];
    case "moved":
      return [...changeOrderState(app.db, change.order.id, change, now)];
    case "quiet":
      return [confirmOrderState(app.db, change.order.id, change.order.state, change.finding, now)];
    case "mismatch":
      return [];
  }
}

function paymentOf(app: Powers, invoice: Invoice, checkoutId: string | null): Payment {
  const paidAt = invoice.paidAt ?? invoice.createdAt;
  return {
    checkoutId,
    invoiceId: invoice.id,
    amountMinor: invoice.amountMinor,
    taxMinor: invoice.taxMinor,
    discountMinor: invoice.discountMinor,
    creditMinor: invoice.creditMinor,
    receiptUrl: invoice.receiptUrl,
    billedTo: invoice.billedTo,
    paidAt,
    bookingYear: bookingYear(paidAt, app.product.timeZone),
    lines: invoice.lines,
  };
}

/** Paid invoices that no checkout of ours began: renewals and changes become orders of their own. */
function unbidden(app: Powers, account: Account, orders: Order[], billing: Billing): Statement[] {
  const ours = new Set(orders.flatMap((order) => [order.invoiceId, checkoutOf(order, billing)?.invoiceId ?? null]));
  return billing.invoices
    .filter((invoice) => invoice.isPaid && !ours.has(invoice.id))
    .sort((left, right) => left.createdAt - right.createdAt)
    .flatMap((invoice): Statement[] => {
      const subscription = billing.subscriptions.find((candidate) => candidate.id === invoice.subscriptionId);
      const sold = subscription?.sold;
      if (!sold) return [];
      const order = {
        ...paymentOf(app, invoice, null),
        id: newId("ord", app.random),
        accountId: account.id,
        kind: invoice.cause,
        planId: sold.planId,
        interval: sold.interval,
        currency: invoice.currency,
        createdAt: invoice.createdAt,
      };
      return [...addPaidOrder(app.db, order, app.clock())];
    });
}
