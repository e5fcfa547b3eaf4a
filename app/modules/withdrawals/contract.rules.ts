/**
 * Decides what runs, and what is owed, when money of one of a contract's orders went back, by the table of contract-table.rules.ts;
 * contract-orders.rules.ts says which orders are one contract. Called by the sync (settle-contracts), by the page of an order and
 * by operators' calls, always with orders that are judged together, oldest first.
 */
import { minuteMs } from "#app/core/time/time.ts";
import { type ContractOrder, continues, coveredBy, isGone } from "./contract-orders.rules.ts";
import { contractTable, type ContractOutcome, type MoneyBackCause, untouched } from "./contract-table.rules.ts";

export type Share = { id: string; amountMinor: number };

/**
 * What goes back for a withdrawal that was declared at `declaredAt`: all of the orders that could be withdrawn from then, and of
 * earlier ones what they hadn't used when the first of those took it over. What went back before is not in it. Null: nothing could.
 */
export function withdrawalShares(orders: readonly ContractOrder[], declaredAt: number): Share[] | null {
  const covered = coveredBy(orders, declaredAt);
  const [firstCovered] = covered;
  if (!firstCovered) return null;
  const earlier = orders.slice(0, -covered.length);
  const whole = covered.map((order) => ({ order, amountMinor: leftOf(order) }));
  // What is left over as credit has gone back already.
  const paidBack = spread(whole, Math.max(0, sumOf(whole) - leftOverOf(covered)));
  return [...unusedShares(earlier, takenOverAt(firstCovered)), ...paidBack];
}

/** What is unused at `at`, less what is gone, newest order first: that is what pays for the time to come. */
export function unusedShares(orders: readonly ContractOrder[], at: number): Share[] {
  return spread(
    orders.map((order) => ({ order, amountMinor: leftOf(order) })),
    Math.max(0, unusedMinor(orders, at)),
  );
}

/** Below zero: more went back than wasn't used. */
function unusedMinor(orders: readonly ContractOrder[], at: number): number {
  const lines = orders.flatMap((order) => order.lines);
  const total = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  if (total <= 0) return 0;
  const unused = lines.reduce((sum, line) => sum + line.amountMinor * shareAfter(line, at), 0) / total;
  // A part that went back made the price smaller; an order that is gone as a whole has paid for nothing.
  const price = orders.reduce(
    (sum, order) => sum + order.paidMinor + Math.min(0, order.creditMinor) - reduction(order),
    0,
  );
  const gone = orders.filter(isGone).reduce((sum, order) => sum + order.goneMinor, 0);
  return Math.round(price * Math.min(1, Math.max(0, unused))) - gone;
}

/** What a change left over as credit, and went back as money, too: it is taken back, as far as it is still there. */
function overpaidMinor(orders: readonly ContractOrder[], { owed }: ContractOutcome, at: number): number {
  const leftOver = leftOverOf(orders);
  const over =
    owed === "all"
      ? leftOver - sumOf(orders.map((order) => ({ amountMinor: leftOf(order) })))
      : -unusedMinor(orders, at);
  return Math.min(leftOver, Math.max(0, over));
}

function leftOverOf(orders: readonly ContractOrder[]): number {
  return orders.reduce((sum, { creditMinor }) => sum + Math.max(0, -creditMinor), 0);
}

function reduction(order: ContractOrder): number {
  return isGone(order) ? 0 : order.goneMinor;
}

function wholeShares(orders: readonly ContractOrder[]): Share[] {
  return orders.map((order) => ({ id: order.id, amountMinor: leftOf(order) }));
}

function leftOf({ paidMinor, goneMinor }: ContractOrder): number {
  return Math.max(0, paidMinor - goneMinor);
}

/** A change is reckoned by the moment at which what it takes over ends. */
function takenOverAt({ lines, paidAt }: ContractOrder): number {
  const starts = lines.flatMap(({ amountMinor, periodStartsAt }) => (amountMinor < 0 ? (periodStartsAt ?? []) : []));
  return starts.length > 0 ? Math.min(...starts) : paidAt;
}

/** Which part of a line's period lies behind `at`. */
function shareAfter({ periodStartsAt, periodEndsAt }: ContractOrder["lines"][number], at: number): number {
  if (periodStartsAt === null || periodEndsAt === null || periodEndsAt <= periodStartsAt) return 0;
  return Math.min(1, Math.max(0, (periodEndsAt - at) / (periodEndsAt - periodStartsAt)));
}

/** So much of the parts, the newest first, each as far as it goes. */
function spread(parts: { order: ContractOrder; amountMinor: number }[], totalMinor: number): Share[] {
  let left = totalMinor;
  const shares = parts.toReversed().map(({ order, amountMinor }) => {
    const share = { id: order.id, amountMinor: Math.min(left, amountMinor) };
    left -= share.amountMinor;
    return share;
  });
  return shares.toReversed().filter(({ amountMinor }) => amountMinor > 0);
}

export function sumOf(parts: { amountMinor: number }[]): number {
  return parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/**
 * By invoice: the orders of contracts whose plan ended for money that went back, of those that were withdrawn from, and which of the
 * latter the withdrawal covers as a whole.
 */
export type Undone = Record<"ended" | "withdrawn" | "covered", Set<string>>;

export type ContractVerdict = ContractOutcome & {
  /** Still to be sent by the site, order by order. */
  send: Share[];
  /** Credit that the provider is to take back. */
  takeMinor: number;
  /** The orders that go back as a whole: of these the credit that paid for them comes back as well. */
  covered: string[];
};

/** `declaredAt`: of the oldest declaration that stands and means one of these orders. `endedAt`: its plan has ended. */
export function judgeContract(
  orders: readonly ContractOrder[],
  { declaredAt, endedAt }: { declaredAt: number | null; endedAt: number | null },
): ContractVerdict {
  const gone = orders.filter(isGone);
  const [trigger] = gone.toSorted((left, right) => left.goneAt - right.goneAt);
  const isPartial = orders.some(({ goneMinor }) => goneMinor > 0);
  const withdrawn = declaredAt === null ? null : withdrawalShares(orders, declaredAt);
  const cause = causeOf(gone, withdrawn === null ? null : declaredAt);
  const outcome = trigger ? contractTable[cause].full : isPartial ? contractTable[cause].part : untouched;
  const owed = () => {
    // Money for a change that arrived when the plan was over has paid for nothing.
    const lateShares = wholeShares(
      orders.filter((each) => continues(each) && endedAt !== null && each.paidAt > endedAt),
    );
    if (outcome.owed === "nothing" || !trigger) return lateShares;
    if (outcome.owed === "all") return withdrawn ?? [];
    // Ended before, and not by this: what it hadn't used was given up then. A bank's decision is dated by our clock.
    if (endedAt !== null && endedAt < trigger.goneAt - clocksApartMs) return lateShares;
    // What was charged before the site heard of it has paid for nothing, either.
    const isSince = ({ paidAt }: ContractOrder) => paidAt > trigger.goneAt;
    const before = orders.filter((each) => !isSince(each));
    return [...unusedShares(before, trigger.goneAt), ...wholeShares(orders.filter(isSince))];
  };
  const send = owed().map(({ id, amountMinor }) => ({ id, amountMinor: amountMinor - sentOf(orders, id) }));
  return {
    ...outcome,
    send: send.filter(({ amountMinor }) => amountMinor > 0),
    takeMinor: trigger && outcome.plan === "ends" ? overpaidMinor(orders, outcome, trigger.goneAt) : 0,
    covered: outcome.owed === "all" && declaredAt !== null ? coveredBy(orders, declaredAt).map(({ id }) => id) : [],
  };
}

/** How far Stripe's clock may differ from ours: a refund made before a declaration doesn't answer it. */
const clocksApartMs = minuteMs;

/** A bank's decision where it took everything that is gone; what was refunded as a whole as well was refunded for a cause of its own. */
function causeOf(gone: readonly ContractOrder[], withdrawnAt: number | null): MoneyBackCause {
  const refunded = gone.filter(({ lostMinor, goneMinor }) => lostMinor !== goneMinor);
  if (gone.length > 0 && refunded.length === 0) return "dispute-lost";
  const isAnswered = withdrawnAt !== null && refunded.some(({ goneAt }) => goneAt >= withdrawnAt - clocksApartMs);
  return isAnswered || (withdrawnAt !== null && gone.length === 0) ? "withdrawal" : "operator";
}

function sentOf(orders: readonly ContractOrder[], orderId: string): number {
  return orders.find(({ id }) => id === orderId)?.restSentMinor ?? 0;
}
