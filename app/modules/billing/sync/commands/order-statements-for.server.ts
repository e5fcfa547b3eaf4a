import type { Base } from "#app/app.ts";
import type { OrderId } from "#app/core/id.ts";
import type { Statement } from "#app/db/batch.server.ts";
import { issueCreditNote, issueInvoice } from "#app/modules/billing/documents/queries.server.ts";
import type { MoneyBackEvent } from "#app/modules/billing/orders/money-back.rules.ts";
import {
  addOpenOrder,
  addPaidOrder,
  changeMoneyBack,
  payOrder,
} from "#app/modules/billing/orders/payments.queries.server.ts";
import { addHistoryEventOfPaid } from "#app/modules/billing/orders/history-events.queries.server.ts";
import { changeOrderState, confirmOrderState } from "#app/modules/billing/orders/states.queries.server.ts";
import { accountingYear } from "#app/modules/billing/orders/rules.ts";
import { closeWithdrawals, reopenWithdrawals } from "#app/modules/billing/withdrawals/withdrawals.queries.server.ts";
import type { OrderChange } from "./compare-order.server.ts";

type Deps = Pick<Base, "db" | "clock">;
type MoneyBackChange = Extract<OrderChange, { kind: "money-back" }>;

/** The statements that write what `compareOrder` found. */
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
        issueInvoice(app.db, order.id, change.invoice),
      ];
    case "changed":
      return [...begin, ...changeOrderState(app.db, order.id, change, now)];
    case "quiet":
      return [...begin, ...confirmOrderState(app.db, order.id, { ...change, state: order.state }, now)];
    case "corrected":
      return change.notes.map((note) =>
        issueCreditNote(app.db, order.id, note, accountingYear(note.issuedAt, note.timeZone)),
      );
    case "money-back":
      return [
        changeMoneyBack(app.db, order.id, { ...change.back, askedAt: change.askedAt }, now),
        ...change.news.map(({ at, ...historyEvent }) =>
          addHistoryEventOfPaid(app.db, order.id, { ...historyEvent, at: at ?? now }, now),
        ),
        ...withdrawalStatements(app, order.id, change),
      ];
  }
}

/** Settles a withdrawal once everything owed for the order or its contract was refunded; a refund the bank returned reopens it. */
function withdrawalStatements(app: Deps, orderId: OrderId, change: MoneyBackChange): Statement[] {
  const { back, news, isWithdrawn } = change;
  const isNews = (what: MoneyBackEvent["what"]) => news.some((historyEvent) => historyEvent.what === what);
  const isResolved = isWithdrawn || (back.state === "refunded" && isNews("refund"));
  if (isResolved) return [closeWithdrawals(app.db, orderId, app.clock())];
  return isNews("refund-failed") && back.state !== "refunded" ? [reopenWithdrawals(app.db, orderId)] : [];
}
