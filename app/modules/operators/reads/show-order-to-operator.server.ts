import { spellDay } from "#app/core/time/calendar.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, PaymentAccess, Site } from "#app/app.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { orderNumber, type MeantOrder } from "#app/modules/billing/orders/rules.ts";
import { contractWith } from "#app/modules/billing/history/reads/show-order.server.ts";
import {
  offerWithdrawal,
  orderToRefund,
  type WithdrawalOffer,
} from "#app/modules/billing/withdrawals/contract-offer.rules.ts";
import { listContract } from "#app/modules/billing/withdrawals/contract.queries.server.ts";
import { listOrderLines, listHistoryEvents } from "#app/modules/billing/history/browse.queries.server.ts";
import { listDocumentsOfOrder } from "#app/modules/billing/documents/queries.server.ts";
import { documentNumber } from "#app/modules/billing/documents/rules.ts";
import { findOrderForOperator, readOrder } from "#app/modules/billing/orders/queries.server.ts";
import { listOwnWithdrawals } from "#app/modules/billing/orders/personal-data.queries.server.ts";
import { previewRefund } from "../decision-emails.server.ts";

type Deps = Base & Site & PaymentAccess;

/** Any account's order: its lines, history and withdrawals. Null if there is no such order. */
export async function showOrderToOperator(app: Deps, meant: MeantOrder) {
  const { db } = app;
  const [found] = await findOrderForOperator(db, meant);
  if (!found) return null;
  const { email, order: row } = found;
  const {
    lines,
    documents,
    historyEvents,
    withdrawals,
    around,
    account: [account],
  } = await batchNamed(db, {
    lines: listOrderLines(db, row.id, row.accountId),
    documents: listDocumentsOfOrder(db, row.id, row.accountId),
    historyEvents: listHistoryEvents(db, row.id, row.accountId),
    withdrawals: listOwnWithdrawals(db, row.accountId),
    around: listContract(db, row.id),
    account: findAccount(db, row.accountId),
  });
  // Stripe's pages open without signing in, so only the customer gets their URLs.
  const { checkoutUrl: _page, receiptUrl: _receipt, ...order } = readOrder(row);
  const contract = contractWith(app, row.id, { rows: around, declarations: withdrawals, at: app.clock() });
  const declared = withdrawals.find(({ orderId }) => contract.some(({ id }) => id === orderId));
  const own = withdrawals.filter(({ orderId }) => orderId === row.id).map(({ orderId: _order, ...facts }) => facts);
  const offer = offerWithdrawal(contract, declared?.declaredAt ?? app.clock());
  const toRefund = offer && orderToRefund(offer);
  const isOnStripe = app.stripeDashboard !== null && order.invoiceId !== null;
  return {
    number: orderNumber(order),
    email,
    ...order,
    lines,
    documents: documents.map((document) => {
      const { kind, reason, corrects, issuedAt, netMinor, taxMinor, totalMinor } = document;
      return { number: documentNumber(document), kind, reason, corrects, issuedAt, netMinor, taxMinor, totalMinor };
    }),
    // `timeline` and `cause` are names of the operators' API.
    timeline: historyEvents.map(({ what, occurrence: cause, ...facts }) => ({ what, cause, ...facts })),
    withdrawals: own,
    links: isOnStripe ? [`${app.stripeDashboard}/invoices/${order.invoiceId}`] : [],
    withdrawal: offer && describeOffer(offer),
    refund:
      account && toRefund?.id === row.id
        ? previewRefund(app, account, readOrder(row), {
            amountMinor: toRefund.backMinor,
            withdrawnAt: declared?.declaredAt ?? null,
          })
        : null,
  };
}

function describeOffer(offer: WithdrawalOffer) {
  const { until, lastDay, ...shown } = offer;
  return {
    withdrawUntil: until,
    withdrawLastDay: spellDay(lastDay),
    ...shown,
    refundOrder: orderToRefund(offer)?.number ?? null,
  };
}
