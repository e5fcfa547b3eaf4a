import type { PaymentIntentId } from "#app/core/stripe/ids.ts";
import type { OrderId } from "#app/core/id.ts";
import type { Base, Billing, Outbox, Site, App } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { decideOrder } from "../decide-order.rules.ts";
import { askedMinor } from "../mismatch.rules.ts";
import { type OrderMatch, chargesOf } from "./match-orders.server.ts";
import type { Mismatches } from "./settle-mismatches.server.ts";
import {
  correctionsOf,
  issuerOf,
  type NewCreditNote,
  writeCreditNotes,
  writeInvoice,
} from "#app/modules/billing/documents/issue.rules.ts";
import type { IssuedDocument, NewInvoice } from "#app/modules/billing/documents/rules.ts";
import {
  type ChargeFacts,
  creditReturnedOf,
  decideMoneyBack,
  type MoneyBack,
  type MoneyBackEvent,
  moneyBackEventsOf,
} from "#app/modules/billing/orders/money-back.rules.ts";
import type { HistoryEventName } from "#app/modules/billing/orders/history-events.rules.ts";
import type { OrderPayment } from "#app/modules/billing/orders/payments.queries.server.ts";
import { accountingYear } from "#app/modules/billing/orders/rules.ts";
import { type FailureClass, isOpen, type Mismatch, type OrderState } from "#app/modules/billing/orders/states.rules.ts";
import type { Finding } from "#app/modules/billing/orders/states.queries.server.ts";
import type { Undone } from "#app/modules/billing/withdrawals/contract.rules.ts";

type Deps = Base & Site & Outbox;
type Invoice = Billing["invoices"][number];
/**
 * If Stripe has no name of the buyer, the order stores the account's name or address as it was when paid: a receipt doesn't change with the
 * profile.
 */
type Buyer = Pick<Account, "name" | "email" | "timeZone">;

/** What Stripe's answer changes about one order. */
export type OrderChange =
  | { kind: "paid"; match: OrderMatch; payment: OrderPayment; invoice: NewInvoice }
  | {
      kind: "changed";
      match: OrderMatch;
      to: Exclude<OrderState, "paid">;
      failure: FailureClass | null;
      finding: Finding;
    }
  | { kind: "quiet"; match: OrderMatch; failure: FailureClass | null; finding: Finding }
  | {
      kind: "money-back";
      match: OrderMatch;
      back: MoneyBack & { creditReturnedMinor: number };
      news: MoneyBackEvent[];
      isWithdrawn: boolean;
      askedAt: number;
    }
  | { kind: "corrected"; match: OrderMatch; notes: NewCreditNote[] };

/** An event in an order's history: what happened to which order, and `occurrence` to tell repeated events apart. */
type RecordedEvent = { orderId: OrderId; what: HistoryEventName; occurrence: string };

type Found = {
  billing: Billing;
  recordedEvents: RecordedEvent[];
  /** The documents of orders from which money went back. */
  documents: readonly IssuedDocument[];
  askedAt: number;
  undone: Undone;
  mismatches: Mismatches["found"];
  buyer: Buyer;
};

export function compareOrder(
  app: Deps,
  match: OrderMatch,
  { billing, recordedEvents, documents, askedAt, undone, mismatches, buyer }: Found,
): OrderChange[] {
  const { order, invoice } = match;
  const change =
    order.paidAt === null
      ? stateChange(app, match, billing, { askedAt, mismatch: mismatches.get(order.id) ?? null, buyer })
      : null;
  const isPaid = order.paidAt !== null || change?.kind === "paid";
  if (change?.kind === "paid") reportLatePayment(app, match, billing, undone);
  // Without the invoice its charges are unknown, which says nothing about refunds.
  if (!isPaid || !invoice) return change ? [change] : [];
  const charges = chargesOf(match, billing);
  const paidMinor = change?.kind === "paid" ? change.payment.amountMinor : order.amountMinor;
  const isWithdrawn = undone.withdrawn.has(invoice.id);
  const isSentBack = [order.failure, mismatches.get(order.id)].includes("mismatch-refunded");
  const money = decideMoneyBack(paidMinor, charges, isSentBack || undone.covered.has(invoice.id));
  const { creditMinor } = change?.kind === "paid" ? change.payment : order;
  const credit = { creditMinor, creditReturnedMinor: order.creditReturnedMinor };
  const owedMinor = undone.creditBack.get(invoice.id) ?? 0;
  const back = { ...money, creditReturnedMinor: creditReturnedOf(credit, charges, { state: money.state, owedMinor }) };
  const known = recordedEvents.filter(({ orderId }) => orderId === order.id);
  const news = moneyBackEventsOf(charges).filter(
    ({ what, occurrence }) => !known.some((event) => event.what === what && event.occurrence === occurrence),
  );
  reportNews(app, order.id, news);
  const isSame =
    back.refundedMinor === order.refundedMinor &&
    back.friendDiscountMinor === order.friendDiscountMinor &&
    back.creditReturnedMinor === order.creditReturnedMinor;
  const isSameDispute = back.dispute === order.dispute && back.disputeDueAt === order.disputeDueAt;
  const hasChanged = !isSame || !isSameDispute || news.length > 0;
  const isNewlyUndone = isWithdrawn && order.state !== "refunded";
  const notes = missingNotes(app, order.id, {
    documents,
    charges,
    creditReturnedMinor: back.creditReturnedMinor,
    issued: change,
  });
  return [
    ...(change ? [change] : []),
    ...(notes.length > 0 ? [{ kind: "corrected" as const, match, notes }] : []),
    ...(hasChanged || isNewlyUndone ? [{ kind: "money-back" as const, match, back, news, isWithdrawn, askedAt }] : []),
  ];
}

type Issuing = {
  documents: readonly IssuedDocument[];
  charges: ChargeFacts[];
  creditReturnedMinor: number;
  issued: OrderChange | null;
};

/** The credit notes for what went back and has none yet. */
function missingNotes(
  app: Deps,
  orderId: OrderId,
  { documents, charges, creditReturnedMinor, issued }: Issuing,
): NewCreditNote[] {
  const own = documents.filter((each) => each.orderId === orderId);
  const invoice = issued?.kind === "paid" ? issued.invoice : own.find(({ kind }) => kind === "invoice");
  if (!invoice) return [];
  const notes = own.filter(({ kind }) => kind === "credit-note");
  const corrections = correctionsOf(charges, { notes, creditReturnedMinor });
  return writeCreditNotes(issuerOf(app.product), invoice, { notes, corrections, now: app.clock() });
}

/** Reports what needs an operator: responding to a dispute, or another way to send the money. */
function reportNews(app: Deps, orderId: OrderId, news: MoneyBackEvent[]): void {
  for (const { what } of news) {
    if (what === "dispute") app.report(new Error(`A charge of order ${orderId} is disputed`));
    if (what === "refund-failed") app.report(new Error(`A refund of order ${orderId} came back from the bank`));
  }
}

/** Null for orders that never reached Stripe. */
function stateChange(
  app: Deps,
  match: OrderMatch,
  billing: Billing,
  { askedAt, mismatch, buyer }: Pick<Found, "askedAt" | "buyer"> & { mismatch: Mismatch | null },
): OrderChange | null {
  const { order, checkout, invoice } = match;
  if (!checkout && !invoice) return null;
  const attempts = attemptsOf(match, billing);
  const { state, failure } = decideOrder(order, { checkout, invoice, attempts });
  if (state === "paid") return invoice && paidChange(app, match, { invoice, billing, mismatch, buyer });
  const finding = {
    checkoutId: checkout?.id ?? null,
    checkoutUrl: checkout ? checkout.url : (invoice?.receiptUrl ?? null),
    // A purchase gets its invoice's id only once that invoice is paid, since the checkout may create another one before.
    invoiceId: checkout ? order.invoiceId : (invoice?.id ?? null),
    attempts: invoice?.attempts ?? 0,
    nextTryAt: invoice?.nextTryAt ?? null,
    failedAts: failedAtsOf(attempts, billing),
    askedAt,
  };
  if (state !== order.state) return { kind: "changed", match, to: state, failure, finding };
  return isOpen(state) || match.isNew ? { kind: "quiet", match, failure, finding } : null;
}

/** Attempts to pay, newest first: those of the invoice, and all since the checkout opened. */
function attemptsOf({ checkout, invoice }: OrderMatch, billing: Billing) {
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

/** The payment, and the invoice that is issued for it. */
function paidChange(
  app: Deps,
  match: OrderMatch,
  {
    invoice,
    billing,
    mismatch,
    buyer,
  }: { invoice: Invoice; billing: Billing; mismatch: Mismatch | null; buyer: Buyer },
): Extract<OrderChange, { kind: "paid" }> {
  const { order, checkout } = match;
  const paidAt = invoice.paidAt ?? invoice.createdAt;
  const paidBy = chargesOf({ invoice }, billing).find((charge) => charge.paidBy !== null)?.paidBy ?? null;
  const issued = writeInvoice(issuerOf(app.product), { ...invoice, paidAt });
  const payment: OrderPayment = {
    checkoutId: checkout?.id ?? order.checkoutId,
    invoiceId: invoice.id,
    currency: invoice.currency,
    mismatch: mismatch && { outcome: mismatch, askedMinor: askedMinor(order), askedCurrency: order.currency },
    amountMinor: invoice.amountMinor,
    taxMinor: issued.taxMinor,
    discountMinor: invoice.discountMinor,
    creditMinor: invoice.creditMinor,
    receiptUrl: invoice.receiptUrl,
    attempts: invoice.attempts,
    paidAt,
    buyerTimeZone: buyer.timeZone,
    accountingYear: accountingYear(paidAt, app.product.timeZone),
    lines: invoice.lines,
  };
  const billedTo = { ...invoice.billedTo, name: invoice.billedTo.name ?? buyer.name ?? buyer.email, paidBy };
  return { kind: "paid", match, payment, invoice: { ...issued, buyer: billedTo, providerNumber: invoice.number } };
}

/**
 * Reports a renewal paid after its plan had ended (docs/decisions/unpaid-renewals.md). If the contract was undone the money is refunded anyway; otherwise an
 * operator decides what the payment was for.
 */
function reportLatePayment(
  app: Pick<App, "report">,
  { order, invoice }: OrderMatch,
  { subscriptions }: Billing,
  undone: Undone,
): void {
  const endedAt = subscriptions.find(({ id }) => id === invoice?.subscriptionId)?.endedAt ?? Infinity;
  const isLate = invoice?.billingReason === "renewal" && (invoice.paidAt ?? 0) > endedAt;
  if (!isLate || undone.ended.has(invoice.id)) return;
  app.report(
    new Error(`Order ${order.id} was paid after its plan had ended: an operator has to decide about its money`),
  );
}
