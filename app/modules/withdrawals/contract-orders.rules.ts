/**
 * Which orders are one contract: the one that began a period and the changes of plan since, each of which took over what the one before had
 * not used. And which contracts of a plan are undone together (0060).
 */
export type ContractOrder = {
  id: string;
  cause: "new-plan" | "renewal" | "change";
  /** What was charged. */
  paidMinor: number;
  /** Credit that paid for some of it; below zero, what it left over as credit. */
  creditMinor: number;
  paidAt: number;
  /** What went back of it by refunds and lost disputes, without what the site sent as the rest of the contract. */
  goneMinor: number;
  /** When the newest of that went back. */
  goneAt: number;
  /** What of it was lost to a bank. */
  lostMinor: number;
  /** What the site sent as the rest of the contract, also what a bank returned: that is for a person to look at. */
  restSentMinor: number;
  /** Null: no right of withdrawal. */
  withdrawUntil: number | null;
  lines: { amountMinor: number; periodStartsAt: number | null; periodEndsAt: number | null }[];
};

/** Takes over what the order before had not used: that is a line below zero. */
export function continues({ cause, lines }: Pick<ContractOrder, "cause" | "lines">): boolean {
  return cause === "change" && lines.some(({ amountMinor }) => amountMinor < 0);
}

/** All of its money went back, and not by the site's own sending of the rest. */
export function isGone({ paidMinor, goneMinor, restSentMinor }: ContractOrder): boolean {
  return paidMinor > 0 && goneMinor > 0 && goneMinor + restSentMinor >= paidMinor;
}

/** The orders that could be withdrawn from at that time: the newest ones, since each later one has more time. */
export function coveredBy<Part extends Pick<ContractOrder, "withdrawUntil">>(
  orders: readonly Part[],
  declaredAt: number,
): Part[] {
  const first = orders.findIndex(({ withdrawUntil }) => withdrawUntil !== null && declaredAt < withdrawUntil);
  return first < 0 ? [] : orders.slice(first);
}

/** A declaration that stands, and the order that it means; null: none of these. */
export type Declaration = { id: string | null; declaredAt: number };

/**
 * Paid orders of one plan, oldest first, in groups that are judged together: each contract for itself. But a plan that was withdrawn from,
 * or whose money went back before its next period was paid, should have ended then: what was charged since belongs to it.
 */
export function groupOrders<Order extends ContractOrder>(
  orders: readonly Order[],
  declarations: readonly Declaration[],
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

/** A declaration may name an order that was charged since, and can't be withdrawn from by itself: it is about the plan all the same. */
function isUndoneBefore(
  group: readonly ContractOrder[],
  groupAndSince: readonly ContractOrder[],
  next: ContractOrder,
  declarations: readonly Declaration[],
): boolean {
  const meant = declarations.filter(({ id }) => groupAndSince.some((order) => order.id === id));
  const isWithdrawn = meant.some(({ declaredAt }) => coveredBy(group, declaredAt).length > 0);
  return isWithdrawn || group.some((order) => isGone(order) && order.goneAt < next.paidAt);
}

/** When the oldest declaration that means one of these orders was made. */
export function declaredAtOf(orders: readonly ContractOrder[], declarations: readonly Declaration[]): number | null {
  const own = declarations.filter(({ id }) => orders.some((order) => order.id === id));
  return own.length === 0 ? null : Math.min(...own.map(({ declaredAt }) => declaredAt));
}

/** The orders that a withdrawal declared at `at` about one of them is about, with what was declared before. */
export function withdrawableWith<Order extends ContractOrder>(
  orders: readonly Order[],
  orderId: string,
  declarations: readonly Declaration[],
  at: number,
): Order[] {
  const groups = groupOrders(orders, [...declarations, { id: orderId, declaredAt: at }]);
  return groups.find((group) => group.some(({ id }) => id === orderId)) ?? [];
}
