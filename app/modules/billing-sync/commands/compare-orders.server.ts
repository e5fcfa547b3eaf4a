import type { PaymentIntentId } from "#app/core/stripe/ids.ts";
import type { OrderId } from "#app/core/id.ts";
import type { Base, Billing, Outbox, Site } from "#app/app.ts";
import type { Statement } from "#app/db/batch.server.ts";
import { decideOrder } from "#app/modules/billing-sync/decide-order.rules.ts";
import { type Match, chargesOf } from "./match-orders.server.ts";
import { reportLatePayment } from "./report-late-payment.server.ts";
import {
  isMoneyGone,
  decideMoneyBack,
  type MoneyBack,
  type MoneyBackMoment,
  momentsOf,
} from "#app/modules/orders/money-back.rules.ts";
import {
  addOpenOrder,
  addPaidOrder,
  changeMoneyBack,
  type Payment,
  payOrder,
} from "#app/modules/orders/payments.queries.server.ts";
import { accountingYear, type FailureClass, isOpen, type OrderState } from "#app/modules/orders/rules.ts";
import {
  addMomentOfPaid,
  changeOrderState,
  confirmOrderState,
  type Finding,
  markMismatch,
} from "#app/modules/orders/transitions.queries.server.ts";
import type { Undone } from "#app/modules/withdrawals/contract.rules.ts";
import { closeWithdrawals, reopenWithdrawals } from "#app/modules/withdrawals/withdrawals.queries.server.ts";

type Deps = Base & Site & Outbox;
type Invoice = Billing["invoices"][number];

/** What Stripe's answer changes about one order. */
export type OrderChange =
  | { kind: "paid"; match: Match; payment: Payment }
  | { kind: "changed"; match: Match; to: Exclude<OrderState, "paid">; failure: FailureClass | null; finding: Finding }
  | { kind: "quiet"; match: Match; failure: FailureClass | null; finding: Finding }
  | { kind: "mismatch"; match: Match; askedAt: number }
  | {
      kind: "money-back";
      match: Match;
      back: MoneyBack;
      news: MoneyBackMoment[];
      isWithdrawn: boolean;
      askedAt: number;
    };

type MoneyBackChange = Extract<OrderChange, { kind: "money-back" }>;

/** A timeline entry: what happened to which order, and `cause` to tell repeated events apart. */
export type Noted = { orderId: OrderId; what: string; cause: string };

export function compareOrders(
  app: Deps,
  match: Match,
  { billing, noted, askedAt, undone }: { billing: Billing; noted: Noted[]; askedAt: number; undone: Undone },
): OrderChange[] {
  const { order, invoice } = match;
  const change = order.paidAt === null ? stateChange(app, match, billing, askedAt) : null;
  const isPaid = order.paidAt !== null || change?.kind === "paid";
  if (change?.kind === "paid") reportLatePayment(app, match, billing, undone);
  // Without the invoice its charges are unknown, which says nothing about refunds.
  if (!isPaid || !invoice) return change ? [change] : [];
  const charges = chargesOf(match, billing);
  const paidMinor = change?.kind === "paid" ? change.payment.amountMinor : order.amountMinor;
  const isWithdrawn = undone.withdrawn.has(invoice.id);
  const back = decideMoneyBack(paidMinor, charges, undone.covered.has(invoice.id));
  const known = noted.filter(({ orderId }) => orderId === order.id);
  const news = momentsOf(charges).filter(
    ({ what, cause }) => !known.some((line) => line.what === what && line.cause === cause),
  );
  reportNews(app, order.id, news);
  const isSame = back.refundedMinor === order.refundedMinor && back.friendDiscountMinor === order.friendDiscountMinor;
  const isSameDispute = back.dispute === order.dispute && back.disputeDueAt === order.disputeDueAt;
  const hasChanged = !isSame || !isSameDispute || news.length > 0;
  const isNewlyUndone = isWithdrawn && order.state !== "refunded";
  return [
    ...(change ? [change] : []),
    ...(hasChanged || isNewlyUndone ? [{ kind: "money-back" as const, match, back, news, isWithdrawn, askedAt }] : []),
  ];
}

/** Reports what needs an operator: responding to a dispute, or another way to send the money. */
function reportNews(app: Deps, orderId: OrderId, news: MoneyBackMoment[]): void {
  for (const { what } of news) {
    if (what === "dispute") app.report(new Error(`A charge of order ${orderId} is disputed`));
    if (what === "refund-failed") app.report(new Error(`A refund of order ${orderId} came back from the bank`));
  }
}

/** Null for orders that never reached Stripe. */
function stateChange(app: Deps, match: Match, billing: Billing, askedAt: number): OrderChange | null {
  const { order, checkout, invoice } = match;
  if (!checkout && !invoice) return null;
  const attempts = attemptsOf(match, billing);
  const verdict = decideOrder(order, { checkout, invoice, attempts, isGivenBack: hasLost(invoice, billing) });
  if (verdict.state === "mismatch") {
    if (order.failure !== "mismatch") {
      app.report(new Error(`Order ${order.id} was paid with another amount or currency than it asked for`));
    }
    return { kind: "mismatch", match, askedAt };
  }
  if (verdict.state === "paid")
    return invoice && { kind: "paid", match, payment: paymentOf(app, match, invoice, billing) };
  const { state, failure } = verdict;
  const finding = {
    checkoutId: checkout?.id ?? null,
    checkoutUrl: checkout ? checkout.url : (invoice?.receiptUrl ?? null),
    // A purchase gets its invoice id once that is paid: until then the checkout may create another.
    invoiceId: checkout ? order.invoiceId : (invoice?.id ?? null),
    attempts: invoice?.attempts ?? 0,
    nextTryAt: invoice?.nextTryAt ?? null,
    failedAts: failedAtsOf(attempts, billing),
    askedAt,
  };
  if (state !== order.state) return { kind: "changed", match, to: state, failure, finding };
  return isOpen(state) || match.isNew ? { kind: "quiet", match, failure, finding } : null;
}

/** All that was paid for an invoice was refunded or lost. */
export function hasLost(invoice: Invoice | null, billing: Billing): boolean {
  if (!invoice) return false;
  return isMoneyGone(invoice.amountMinor, chargesOf({ invoice }, billing));
}

/** Attempts to pay, newest first: those of the invoice, and all since the checkout opened. */
function attemptsOf({ checkout, invoice }: Match, billing: Billing) {
  return billing.payments
    .filter(
      ({ id, createdAt }) => invoice?.paymentIds.includes(id) || (checkout !== null && createdAt >= checkout.createdAt),
    )
    .sort((left, right) => right.createdAt - left.createdAt);
}

/** A payment may be attempted several times; each failed attempt is a charge that didn't succeed. */
function failedAtsOf(attempts: Billing["payments"], billing: Billing): number[] {
  const isTried = (paymentId: PaymentIntentId | null) => attempts.some(({ id }) => id === paymentId);
  const failed = billing.charges.filter(({ paidBy, paymentId }) => paidBy === null && isTried(paymentId));
  return failed.map(({ createdAt }) => createdAt).toSorted((left, right) => left - right);
}

function paymentOf(app: Deps, { order, checkout }: Match, invoice: Invoice, billing: Billing): Payment {
  const paidAt = invoice.paidAt ?? invoice.createdAt;
  const paidBy = chargesOf({ invoice }, billing).find((charge) => charge.paidBy !== null)?.paidBy ?? null;
  return {
    checkoutId: checkout?.id ?? order.checkoutId,
    invoiceId: invoice.id,
    amountMinor: invoice.amountMinor,
    taxMinor: invoice.taxMinor,
    discountMinor: invoice.discountMinor,
    creditMinor: invoice.creditMinor,
    receiptUrl: invoice.receiptUrl,
    billedTo: { ...invoice.billedTo, paidBy },
    seller: app.product.seller,
    taxes: invoice.taxes,
    attempts: invoice.attempts,
    paidAt,
    accountingYear: accountingYear(paidAt, app.product.timeZone),
    lines: invoice.lines,
  };
}

export function orderStatementsFor(app: Deps, change: OrderChange): Statement[] {
  const now = app.clock();
  const { order, isNew, invoice } = change.match;
  const begin = isNew && invoice ? addOpenOrder(app.db, { ...order, invoiceId: invoice.id }, now) : [];
  switch (change.kind) {
    case "paid":
      // Added as paid; if a concurrent sync added it as open, that row is marked paid.
      return [
        ...(isNew ? [addPaidOrder(app.db, { ...order, ...change.payment }, now)] : []),
        ...payOrder(app.db, order.id, change.payment, now),
      ];
    case "changed":
      return [...begin, ...changeOrderState(app.db, order.id, change, now)];
    case "quiet":
      return [...begin, ...confirmOrderState(app.db, order.id, { ...change, state: order.state }, now)];
    case "mismatch":
      return [markMismatch(app.db, order.id, change.askedAt, now)];
    case "money-back":
      return [
        changeMoneyBack(app.db, order.id, { ...change.back, askedAt: change.askedAt }, now),
        ...change.news.map(({ at, ...moment }) => addMomentOfPaid(app.db, order.id, { ...moment, at: at ?? now }, now)),
        ...withdrawalStatements(app, order.id, change),
      ];
  }
}

/** Settles a withdrawal once everything owed for the order or its contract was refunded; a refund the bank returned reopens it. */
function withdrawalStatements(app: Deps, orderId: OrderId, change: MoneyBackChange): Statement[] {
  const { back, news, isWithdrawn } = change;
  const isNews = (what: MoneyBackMoment["what"]) => news.some((moment) => moment.what === what);
  const isResolved = isWithdrawn || (back.state === "refunded" && isNews("refund"));
  if (isResolved) return [closeWithdrawals(app.db, orderId, app.clock())];
  return isNews("refund-failed") && back.state !== "refunded" ? [reopenWithdrawals(app.db, orderId)] : [];
}
