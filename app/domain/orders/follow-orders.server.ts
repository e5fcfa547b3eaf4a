import type { App, Billing, Statement } from "#app/context.ts";
import { judgeOrder } from "./judge-order.rules.ts";
import type { Match } from "./match-orders.server.ts";
import { type ChargeFacts, judgeMoneyBack, type MoneyBack } from "./money-back.rules.ts";
import { addOpenOrder, addPaidOrder, changeMoneyBack, type Payment, payOrder } from "./payments.store.server.ts";
import { bookingYear, isOpen, type Order, type OrderState } from "./rules.ts";
import {
  addMomentOfPaid,
  changeOrderState,
  confirmOrderState,
  type Finding,
  markMismatch,
  type Moment,
} from "./moves.store.server.ts";

type Powers = Pick<App, "db" | "clock" | "product" | "report">;
type Invoice = Billing["invoices"][number];

/** What the provider's facts change about one order. */
export type OrderChange =
  | { kind: "paid"; match: Match; payment: Payment }
  | { kind: "moved"; match: Match; to: Exclude<OrderState, "paid">; failure: string | null; finding: Finding }
  | { kind: "quiet"; match: Match; failure: string | null; finding: Finding }
  | { kind: "mismatch"; match: Match }
  | { kind: "money-back"; match: Match; back: MoneyBack; charges: ChargeFacts[]; askedAt: number };

export function changesOf(app: Powers, match: Match, billing: Billing, askedAt: number): OrderChange[] {
  const change = match.order.paidAt === null ? stateChange(app, match, billing, askedAt) : null;
  const paidMinor = change?.kind === "paid" ? change.payment.amountMinor : match.order.amountMinor;
  const isPaid = match.order.paidAt !== null || change?.kind === "paid";
  const charges = isPaid ? chargesOf(match, billing) : [];
  const back = judgeMoneyBack(paidMinor, charges);
  const { refundedMinor, dispute } = match.order;
  if (dispute === "none" && back.dispute !== "none")
    app.report(new Error(`A charge of order ${match.order.id} is disputed`));
  const hasMoved = back.refundedMinor !== refundedMinor || back.dispute !== dispute;
  return [
    ...(change ? [change] : []),
    // Charges of an order whose invoice wasn't fetched aren't known: that says nothing about its refunds.
    ...(hasMoved && match.invoice ? [{ kind: "money-back" as const, match, back, charges, askedAt }] : []),
  ];
}

/** The charges that paid an order's invoice. */
export function chargesOf({ invoice }: Pick<Match, "invoice">, billing: Billing) {
  return billing.charges.filter(({ paymentId }) => paymentId !== null && invoice?.paymentIds.includes(paymentId));
}

/** Nothing for those that never reached the provider. */
function stateChange(app: Powers, match: Match, billing: Billing, askedAt: number): OrderChange | null {
  const { order, checkout, invoice } = match;
  if (!checkout && !invoice) return null;
  const verdict = judgeOrder(order, { checkout, invoice, attempts: attemptsOf(match, billing) });
  if (verdict.state === "mismatch") {
    if (order.failure !== "mismatch") {
      app.report(new Error(`Order ${order.id} was paid with another amount or currency than it asked for`));
    }
    return { kind: "mismatch", match };
  }
  if (verdict.state === "paid") return invoice && { kind: "paid", match, payment: paymentOf(app, invoice, checkout) };
  const { state, failure } = verdict;
  const finding = {
    checkoutId: checkout?.id ?? null,
    checkoutUrl: checkout ? checkout.url : (invoice?.receiptUrl ?? null),
    // Of a purchase it is noted when that is paid: until then the checkout may make another.
    invoiceId: checkout ? order.invoiceId : (invoice?.id ?? null),
    attempts: invoice?.attempts ?? 0,
    nextTryAt: invoice?.nextTryAt ?? null,
    askedAt,
  };
  if (state !== order.state) return { kind: "moved", match, to: state, failure, finding };
  return isOpen(state) || match.isNew ? { kind: "quiet", match, failure, finding } : null;
}

/** Tries to pay, newest first: those of its invoice, and all since its checkout opened. */
function attemptsOf({ checkout, invoice }: Match, billing: Billing) {
  return billing.payments
    .filter(
      ({ id, createdAt }) => invoice?.paymentIds.includes(id) || (checkout !== null && createdAt >= checkout.createdAt),
    )
    .sort((left, right) => right.createdAt - left.createdAt);
}

function paymentOf(app: Powers, invoice: Invoice, checkout: Match["checkout"]): Payment {
  const paidAt = invoice.paidAt ?? invoice.createdAt;
  return {
    checkoutId: checkout?.id ?? null,
    invoiceId: invoice.id,
    amountMinor: invoice.amountMinor,
    taxMinor: invoice.taxMinor,
    discountMinor: invoice.discountMinor,
    creditMinor: invoice.creditMinor,
    receiptUrl: invoice.receiptUrl,
    billedTo: invoice.billedTo,
    attempts: invoice.attempts,
    paidAt,
    bookingYear: bookingYear(paidAt, app.product.timeZone),
    lines: invoice.lines,
  };
}

export function statementsFor(app: Powers, change: OrderChange): Statement[] {
  const now = app.clock();
  const { order, isNew, invoice } = change.match;
  const begin = isNew && invoice ? addOpenOrder(app.db, { ...order, invoiceId: invoice.id }, now) : [];
  switch (change.kind) {
    case "paid":
      return isNew
        ? [...addPaidOrder(app.db, { ...order, ...change.payment }, now)]
        : [...payOrder(app.db, order.id, change.payment, now)];
    case "moved":
      return [...begin, ...changeOrderState(app.db, order.id, change, now)];
    case "quiet":
      return [...begin, ...confirmOrderState(app.db, order.id, { ...change, state: order.state }, now)];
    case "mismatch":
      return [markMismatch(app.db, order.id, now)];
    case "money-back":
      return moneyBackStatements(app, order, change);
  }
}

type MoneyBackChange = Extract<OrderChange, { kind: "money-back" }>;

function moneyBackStatements(app: Powers, { id }: Order, { back, charges, askedAt }: MoneyBackChange): Statement[] {
  const note = (moment: Moment) => addMomentOfPaid(app.db, id, moment, app.clock());
  const refunds = charges.flatMap((charge) => charge.refunds);
  const disputes = charges.flatMap((charge) => charge.disputes);
  return [
    changeMoneyBack(app.db, id, { ...back, askedAt }, app.clock()),
    ...refunds.map(({ id: cause, state, amountMinor, createdAt: at }) =>
      note({ what: state === "failed" ? "refund-failed" : "refund", cause, amountMinor, at }),
    ),
    ...disputes.flatMap(({ id: cause, state, amountMinor, createdAt: at }) => [
      note({ what: "dispute", cause, amountMinor, at }),
      ...(state === "won" || state === "lost" ? [note({ what: `dispute-${state}`, cause, amountMinor })] : []),
    ]),
  ];
}
