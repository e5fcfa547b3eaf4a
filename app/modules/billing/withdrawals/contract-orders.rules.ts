/**
 * Decides which orders form one contract: the one that began a period and the changes of plan since, each of which credited the unused
 * time of the one before; and which contracts of a plan are undone together (docs/decisions/refunds.md). Called from contract.rules.ts.
 */
import type { OrderId } from "#app/core/id.ts";
import type { InvoiceId } from "#app/core/stripe/ids.ts";
import type { BillingReason } from "#app/core/stripe/states.ts";

/** The reconciler knows an order by its invoice's id, pages by its own. */
export type ContractOrder<Id extends InvoiceId | OrderId = InvoiceId | OrderId> = {
  id: Id;
  billingReason: BillingReason;
  currency: string;
  /** What was charged, less a friend's discount. */
  paidMinor: number;
  /** Credit that paid a part. Negative for what was left over as credit. */
  creditMinor: number;
  paidAt: number;
  /** Refunds and lost disputes, without what the site refunded as the rest of the contract. */
  returnedMinor: number;
  /** When the newest of these was made. */
  returnedAt: number;
  /** The part of these lost in disputes. */
  lostMinor: number;
  /** What the site refunded as the rest of the contract, including what a bank returned, which an operator handles. */
  restSentMinor: number;
  /** Null if there is no right of withdrawal. */
  withdrawUntil: number | null;
  lines: { amountMinor: number; periodStartsAt: number | null; periodEndsAt: number | null }[];
};

/** Whether the order credited the unused time of the one before, by a negative line. */
export function continues({ billingReason, lines }: Pick<ContractOrder, "billingReason" | "lines">): boolean {
  return billingReason === "change" && lines.some(({ amountMinor }) => amountMinor < 0);
}

/** Whether all the order's money was returned, and not only by the site's refund of the rest. */
export function isReturned({ paidMinor, returnedMinor, restSentMinor }: ContractOrder): boolean {
  return paidMinor > 0 && returnedMinor > 0 && returnedMinor + restSentMinor >= paidMinor;
}

/** The orders that could be withdrawn from at that time: the newest ones, since each later one has more time. */
export function coveredBy<Part extends Pick<ContractOrder, "withdrawUntil">>(
  orders: readonly Part[],
  declaredAt: number,
): Part[] {
  const first = orders.findIndex(({ withdrawUntil }) => withdrawUntil !== null && declaredAt < withdrawUntil);
  return first < 0 ? [] : orders.slice(first);
}

/** A valid withdrawal, and the order that it names. Null if it names none of these. */
export type DeclaredWithdrawal<Id extends InvoiceId | OrderId = InvoiceId | OrderId> = {
  id: Id | null;
  declaredAt: number;
};

/**
 * Groups the paid orders of one plan, oldest first, into those decided together, normally one contract. But if a plan was withdrawn from,
 * or refunded before its next period was paid, it should have ended then: later charges belong to the same group.
 */
export function groupOrders<Order extends ContractOrder>(
  orders: readonly Order[],
  declarations: readonly DeclaredWithdrawal[],
): Order[][] {
  const groups: Order[][] = [];
  for (const [at, order] of orders.entries()) {
    const group = groups.at(-1);
    const groupAndSince = orders.slice(at - (group?.length ?? 0));
    if (group && (continues(order) || isUndoneBefore(group, groupAndSince, order, declarations))) group.push(order);
    else groups.push([order]);
  }
  return groups;
}

/** A withdrawal may name a later order, which can't be withdrawn from separately: it still concerns the plan. */
function isUndoneBefore(
  group: readonly ContractOrder[],
  groupAndSince: readonly ContractOrder[],
  next: ContractOrder,
  declarations: readonly DeclaredWithdrawal[],
): boolean {
  const meant = declarations.filter(({ id }) => groupAndSince.some((order) => order.id === id));
  const isWithdrawn = meant.some(({ declaredAt }) => coveredBy(group, declaredAt).length > 0);
  return isWithdrawn || group.some((order) => isReturned(order) && order.returnedAt < next.paidAt);
}

/** When the oldest withdrawal from one of these orders was declared. */
export function declaredAtOf(
  orders: readonly ContractOrder[],
  declarations: readonly DeclaredWithdrawal[],
): number | null {
  const own = declarations.filter(({ id }) => orders.some((order) => order.id === id));
  return own.length === 0 ? null : Math.min(...own.map(({ declaredAt }) => declaredAt));
}

/** The orders that are decided together if a withdrawal from `orderId` is declared at `at`, given earlier withdrawals. */
export function withdrawableWith<Order extends ContractOrder>(
  orders: readonly Order[],
  orderId: OrderId,
  declarations: readonly DeclaredWithdrawal[],
  at: number,
): Order[] {
  const groups = groupOrders(orders, [...declarations, { id: orderId, declaredAt: at }]);
  return groups.find((group) => group.some(({ id }) => id === orderId)) ?? [];
}
