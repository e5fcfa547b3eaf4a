import type { AccountId, OrderId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { findFriendship, listOrderLines, listHistoryEvents } from "../browse.queries.server.ts";
import { listDocumentsOfOrder } from "#app/modules/billing/documents/queries.server.ts";
import { type IssuedDocument, splitDocuments } from "#app/modules/billing/documents/rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { findOrder, readOrder } from "#app/modules/billing/orders/queries.server.ts";
import { listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import type { Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { type HistoryEventRow, historyOf, type HistoryEvent, returnsOf } from "../history.rules.ts";
import { offerWithdrawal, type WithdrawalOffer } from "#app/modules/billing/withdrawals/contract-offer.rules.ts";
import { withdrawableWith } from "#app/modules/billing/withdrawals/contract-orders.rules.ts";
import { earliestWithdrawable } from "#app/modules/billing/withdrawals/withdrawal-period.rules.ts";
import {
  listOpenContract,
  type OwnContractOrder,
  readContractOrder,
} from "#app/modules/billing/withdrawals/contract.queries.server.ts";
import {
  type Declared,
  isDeclaredByOwner,
  shownDeclaration,
  type WithdrawalState,
} from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { listWithdrawalsOf } from "#app/modules/billing/withdrawals/withdrawals.queries.server.ts";

export type OrderLine = {
  position: number;
  description: string;
  amountMinor: number;
  periodStartsAt: number | null;
  periodEndsAt: number | null;
};

export type OrderDetail = {
  order: Order;
  lines: OrderLine[];
  /** Null until the order is paid. */
  invoice: IssuedDocument | null;
  creditNotes: IssuedDocument[];
  historyEvents: HistoryEvent[];
  returns: ReturnType<typeof returnsOf>;
  /** The withdrawal that the owner or another person declared, and what one declared now would return. */
  withdrawal: { declared: Declared | null; offer: WithdrawalOffer | null };
  /** What a friend's discount on the order depends on. Null if the account has no referrer. */
  friendship: Awaited<ReturnType<typeof findFriendship>>[number] | null;
  /** The account's plans, newest first. */
  subscriptions: Subscription[];
};

type Deps = Pick<App, "db" | "clock" | "product">;

/** An order as its page shows it. Null if the account has no such order. */
export async function showOrder(app: Deps, accountId: AccountId, orderId: OrderId): Promise<OrderDetail | null> {
  const { db } = app;
  const { found, ...parts } = await batchNamed(db, {
    found: findOrder(db, orderId, accountId),
    lines: listOrderLines(db, orderId, accountId),
    documents: listDocumentsOfOrder(db, orderId, accountId),
    historyEvents: listHistoryEvents(db, orderId, accountId),
    withdrawals: listWithdrawalsOf(db, accountId),
    contract: listOpenContract(db, orderId, accountId, earliestWithdrawable(app.product, app.clock())),
    friendships: findFriendship(db, orderId, accountId),
    subscriptions: listSubscriptions(db, accountId),
  });
  const [order] = found.map(readOrder);
  return order ? detailOf(app, order, parts) : null;
}

type Parts = {
  lines: OrderLine[];
  documents: IssuedDocument[];
  historyEvents: HistoryEventRow[];
  withdrawals: (Declared & { orderId: OrderId })[];
  contract: Parameters<typeof readContractOrder>[0][];
  friendships: NonNullable<OrderDetail["friendship"]>[];
  subscriptions: Subscription[];
};

function detailOf(
  app: Deps,
  order: Order,
  { lines, documents, historyEvents, withdrawals, contract, friendships, subscriptions }: Parts,
): OrderDetail {
  const own = contractWith(app, order.id, { rows: contract, declarations: withdrawals, at: app.clock() });
  // A withdrawal from any order of the contract is about all of them.
  const found = withdrawals.filter(({ orderId }) => orderId === order.id || own.some(({ id }) => id === orderId));
  const declared = shownDeclaration(found);
  const offer = declared && isDeclaredByOwner(declared) ? null : offerWithdrawal(own, app.clock());
  const withdrawal = { declared, offer };
  return {
    order,
    lines,
    ...splitDocuments(documents),
    historyEvents: withStranger(historyOf(historyEvents), declared),
    returns: returnsOf(historyEvents),
    withdrawal,
    friendship: friendships[0] ?? null,
    subscriptions,
  };
}

/**
 * Adds the declaration that the page shows if its declarer may not own the order. Such a declaration isn't part of the stored history, so
 * that strangers can't fill it.
 */
function withStranger(historyEvents: HistoryEvent[], declared: Declared | null): HistoryEvent[] {
  if (declared?.declaredBy !== "anyone") return historyEvents;
  const event: HistoryEvent = { at: declared.declaredAt, kind: "withdrawal", declaredBy: "anyone" };
  return [...historyEvents, event].toSorted((left, right) => left.at - right.at);
}

/** The part of these orders that a withdrawal declared at `at` would cover; none if the order wasn't paid. */
export function contractWith(
  { product }: Pick<App, "product">,
  orderId: OrderId,
  { rows, declarations, at }: { rows: Parts["contract"]; declarations: readonly DeclaredOrder[]; at: number },
): OwnContractOrder[] {
  const uncontested = declarations.filter(({ state }) => state !== "contested");
  return withdrawableWith(
    rows.map((row) => readContractOrder(row, product)),
    orderId,
    uncontested.map(({ orderId: id, declaredAt }) => ({ id, declaredAt })),
    at,
  );
}

type DeclaredOrder = { orderId: OrderId | null; declaredAt: number; state: WithdrawalState };
