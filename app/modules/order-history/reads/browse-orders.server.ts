import { type AccountId, type OrderId, noOrder } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { type Cursor, facetsOf, type OrdersQuery } from "../browse.rules.ts";
import {
  findFriendship,
  listLatest,
  listLines,
  listMoments,
  listOrders,
  listStates,
  listYears,
} from "../browse.queries.server.ts";
import { type Order, pageSize } from "#app/modules/orders/rules.ts";
import { latestMax, type MonthSpent, spendingByMonth, spendingMs } from "../spending.rules.ts";
import { findOrder, readOrder } from "#app/modules/orders/queries.server.ts";
import { type MomentRow, timelineOf, type TimelineEntry } from "../timeline.rules.ts";
import { offerWithdrawal, type WithdrawalOffer } from "#app/modules/withdrawals/contract-offer.rules.ts";
import { withdrawableWith } from "#app/modules/withdrawals/contract-orders.rules.ts";
import {
  listContract,
  type OwnContractOrder,
  readContractOrder,
} from "#app/modules/withdrawals/contract.queries.server.ts";
import { type Declared, isDeclaredByOwner, shownDeclaration } from "#app/modules/withdrawals/withdrawals.rules.ts";
import { listWithdrawalsOf } from "#app/modules/withdrawals/withdrawals.queries.server.ts";

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
  timeline: TimelineEntry[];
  /** The declared withdrawal, by the owner or another person; and whether one can be declared. */
  withdrawal: { declared: Declared | null; offer: WithdrawalOffer | null };
  /** What a friend's discount on it depends on; null: the account has no referrer. */
  friendship: Awaited<ReturnType<typeof findFriendship>>[number] | null;
};

export type OrdersPage = {
  orders: Order[];
  /** The filters of the list; both empty if there are no orders at all. */
  facets: ReturnType<typeof facetsOf>;
  next: Cursor | null;
  /** Spending of the last months, whatever the filter; empty if there is nothing to compare. */
  spent: MonthSpent[];
  detail: OrderDetail | null;
};

type Deps = Pick<App, "db" | "clock" | "product">;

/** A page of an account's orders and, in the same round trip, the opened one; null: no such order, or another account's. */
export async function browseOrders(app: Deps, accountId: AccountId, input: OrdersQuery): Promise<OrdersPage> {
  const { db } = app;
  const { timeZone, currency } = app.product;
  const now = app.clock();
  const orderId = input.orderId ?? noOrder;
  const { rows, states, years, found, lines, moments, withdrawals, contract, friendships, latest } = await batchNamed(
    db,
    {
      rows: listOrders(db, accountId, { ...input, timeZone, limit: pageSize + 1 }),
      states: listStates(db, accountId),
      years: listYears(db, accountId, input.state),
      found: findOrder(db, orderId, accountId),
      lines: listLines(db, orderId, accountId),
      moments: listMoments(db, orderId, accountId),
      withdrawals: listWithdrawalsOf(db, orderId),
      contract: listContract(db, orderId),
      friendships: findFriendship(db, orderId, accountId),
      latest: listLatest(db, accountId, now - spendingMs, latestMax),
    },
  );
  const orders = rows.slice(0, pageSize).map(readOrder);
  const last = orders.at(-1);
  const [order] = found.map(readOrder);
  return {
    orders,
    facets: facetsOf(states, years, timeZone),
    next: rows.length > pageSize && last ? { createdAt: last.createdAt, id: last.id } : null,
    spent: spendingByMonth(latest, { timeZone, currency, now }),
    detail: order ? detailOf(app, order, { lines, moments, withdrawals, contract, friendships }) : null,
  };
}

type Parts = {
  lines: OrderLine[];
  moments: MomentRow[];
  withdrawals: (Declared & { orderId: OrderId })[];
  contract: Parameters<typeof readContractOrder>[0][];
  friendships: NonNullable<OrderDetail["friendship"]>[];
};

function detailOf(app: Deps, order: Order, { lines, moments, withdrawals, contract, friendships }: Parts): OrderDetail {
  const own = contractWith(app, order.id, { rows: contract, declarations: withdrawals, at: app.clock() });
  // A withdrawal from any order of the contract is about all of them.
  const found = withdrawals.filter(({ orderId }) => orderId === order.id || own.some(({ id }) => id === orderId));
  const declared = shownDeclaration(found);
  const offer = declared && isDeclaredByOwner(declared) ? null : offerWithdrawal(own, app.clock());
  const withdrawal = { declared, offer };
  return { order, lines, timeline: timelineOf(moments), withdrawal, friendship: friendships[0] ?? null };
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

type DeclaredOrder = { orderId: OrderId | null; declaredAt: number; state: string };
