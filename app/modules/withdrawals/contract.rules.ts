/**
 * Decides whether a plan ends and what is still owed when an order of its contract was refunded, by the table in contract-table.rules.ts.
 * Invariant: its input is always a group of orders decided together (contract-orders.rules.ts), oldest first. Called from the reconciler
 * (reconcile-contracts), the page of an order and the operators' calls.
 */
import type { OrderId } from "#app/core/id.ts";
import { sumMinor } from "#app/core/money/money.ts";
import { roundAmount } from "#app/core/money/round-amount.ts";
import type { InvoiceId } from "#app/core/stripe/ids.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { type ContractOrder, continues, coveredBy, isReturned } from "./contract-orders.rules.ts";
import { contractTable, type ContractOutcome, type MoneyBackReason, untouched } from "./contract-table.rules.ts";

/** What is refunded of one order, by the order's own id or its invoice's. */
type Share<Id extends InvoiceId | OrderId> = { id: Id; amountMinor: number };

/**
 * The refunds for a withdrawal declared at `declaredAt`: in full for every order that could be withdrawn from then, and for earlier ones
 * the part that was unused when the first of those replaced them. Earlier refunds are deducted. Null if no order could be withdrawn from.
 */
export function withdrawalShares<Id extends InvoiceId | OrderId>(
  orders: readonly ContractOrder<Id>[],
  declaredAt: number,
): Share<Id>[] | null {
  const covered = coveredBy(orders, declaredAt);
  const [firstCovered] = covered;
  if (!firstCovered) return null;
  const earlier = orders.slice(0, -covered.length);
  const whole = covered.map((order) => ({ order, amountMinor: leftOf(order) }));
  // What is left over as credit has been returned already.
  const paidBack = spread(whole, Math.max(0, sumMinor(whole) - leftOverOf(covered)));
  return [...unusedShares(earlier, takenOverUnused(firstCovered, earlier)), ...paidBack];
}

/**
 * What is refunded of a plan that ends because a newer one has run since `at`: the part that was unused then, and all that was charged
 * later. What was refunded before is deducted.
 */
export function supersededShares<Id extends InvoiceId | OrderId>(
  orders: readonly ContractOrder<Id>[],
  at: number,
): Share<Id>[] {
  const before = orders.filter(({ paidAt }) => paidAt <= at);
  const since = orders.filter(({ paidAt }) => paidAt > at);
  return [...unusedShares(before, unusedAfter(before, at)), ...wholeShares(since)]
    .map(({ id, amountMinor }) => ({ id, amountMinor: amountMinor - sentOf(orders, id) }))
    .filter(({ amountMinor }) => amountMinor > 0);
}

/** `unused` of the orders' lines, as a part of what was paid, less refunds; newest order first: it paid for the remaining time. */
function unusedShares<Id extends InvoiceId | OrderId>(
  orders: readonly ContractOrder<Id>[],
  unused: number,
): Share<Id>[] {
  return spread(
    orders.map((order) => ({ order, amountMinor: leftOf(order) })),
    Math.max(0, unusedMinor(orders, unused)),
  );
}

/**
 * What is owed when `unused` of the orders' lines was unused: as large a part of what was paid for them. Negative if more than that was
 * refunded.
 */
function unusedMinor(orders: readonly ContractOrder[], unused: number): number {
  const [newest] = orders.slice(-1);
  const total = sumMinor(orders.flatMap((order) => order.lines));
  if (!newest || total <= 0) return 0;
  // A partial refund lowered the price; an order refunded in full has paid for nothing.
  const price = orders.reduce(
    (sum, order) => sum + order.paidMinor + Math.min(0, order.creditMinor) - reduction(order),
    0,
  );
  const returned = orders.filter(isReturned).reduce((sum, order) => sum + order.returnedMinor, 0);
  const exactMinor = (price * Math.min(total, Math.max(0, unused))) / total;
  return roundAmount(exactMinor, newest.currency) - returned;
}

/** How much of the orders' lines is for the time after `at`, not rounded. */
function unusedAfter(orders: readonly ContractOrder[], at: number): number {
  const lines = orders.flatMap((order) => order.lines);
  return lines.reduce((sum, line) => sum + line.amountMinor * shareAfter(line, at), 0);
}

/** How much of the lines of the orders before a change it took over: what its own invoice credits for them, as Stripe rounded it. */
function takenOverUnused(change: ContractOrder, before: readonly ContractOrder[]): number {
  const credits = change.lines.filter(({ amountMinor }) => amountMinor < 0);
  return credits.length > 0 ? -sumMinor(credits) : unusedAfter(before, change.paidAt);
}

/** What a change left over as credit and was refunded as well. The site deducts that credit, up to what is left of it. */
function overpaidMinor(orders: readonly ContractOrder[], { owed }: ContractOutcome, at: number): number {
  const leftOver = leftOverOf(orders);
  const over =
    owed === "all"
      ? leftOver - sumMinor(orders.map((order) => ({ amountMinor: leftOf(order) })))
      : -unusedMinor(orders, unusedAfter(orders, at));
  return Math.min(leftOver, Math.max(0, over));
}

function leftOverOf(orders: readonly ContractOrder[]): number {
  return orders.reduce((sum, { creditMinor }) => sum + Math.max(0, -creditMinor), 0);
}

function reduction(order: ContractOrder): number {
  return isReturned(order) ? 0 : order.returnedMinor;
}

function wholeShares<Id extends InvoiceId | OrderId>(orders: readonly ContractOrder<Id>[]): Share<Id>[] {
  return orders.map((order) => ({ id: order.id, amountMinor: leftOf(order) }));
}

function leftOf({ paidMinor, returnedMinor }: ContractOrder): number {
  return Math.max(0, paidMinor - returnedMinor);
}

/** The share of a line's period after `at`. */
function shareAfter({ periodStartsAt, periodEndsAt }: ContractOrder["lines"][number], at: number): number {
  if (periodStartsAt === null || periodEndsAt === null || periodEndsAt <= periodStartsAt) return 0;
  return Math.min(1, Math.max(0, (periodEndsAt - at) / (periodEndsAt - periodStartsAt)));
}

/** Distributes a total over the parts, newest first, each up to its amount. */
function spread<Id extends InvoiceId | OrderId>(
  parts: { order: ContractOrder<Id>; amountMinor: number }[],
  totalMinor: number,
): Share<Id>[] {
  let left = totalMinor;
  const shares = parts.toReversed().map(({ order, amountMinor }) => {
    const share = { id: order.id, amountMinor: Math.min(left, amountMinor) };
    left -= share.amountMinor;
    return share;
  });
  return shares.toReversed().filter(({ amountMinor }) => amountMinor > 0);
}

/**
 * Orders by invoice: `ended` if their plan ended because of refunds, `withdrawn` if they were withdrawn from, and `covered` if that
 * withdrawal covers them in full.
 */
export type Undone = Record<"ended" | "withdrawn" | "covered", Set<InvoiceId>>;

export type ContractVerdict<Id extends InvoiceId | OrderId> = ContractOutcome & {
  /** Refunds that the site still has to make, by order. */
  send: Share<Id>[];
  /** Credit to deduct at Stripe. */
  creditToDeductMinor: number;
  /** Orders returned in full: the credit that paid for them is returned as well. */
  covered: Id[];
};

/**
 * `declaredAt` is when the oldest valid withdrawal from one of these orders was declared, `endedAt` when their plan ended, `noticeUntil` when
 * the notice with which it ended was over.
 */
export function decideContract<Id extends InvoiceId | OrderId>(
  orders: readonly ContractOrder<Id>[],
  {
    declaredAt,
    endedAt,
    noticeUntil = null,
  }: { declaredAt: number | null; endedAt: number | null; noticeUntil?: number | null },
): ContractVerdict<Id> {
  const returned = orders.filter(isReturned);
  const [trigger] = returned.toSorted((left, right) => left.returnedAt - right.returnedAt);
  const isPartial = orders.some(({ returnedMinor }) => returnedMinor > 0);
  const withdrawn = declaredAt === null ? null : withdrawalShares(orders, declaredAt);
  const reason = moneyBackReasonOf(returned, withdrawn === null ? null : declaredAt);
  const outcome = trigger ? contractTable[reason].full : isPartial ? contractTable[reason].part : untouched;
  const owed = () => {
    // A change whose payment arrived after the plan had ended has paid for nothing.
    const lateShares = wholeShares(
      orders.filter((each) => continues(each) && endedAt !== null && each.paidAt > endedAt),
    );
    // Nothing is forfeited by notice: what comes after it was paid for nothing. A refund that came before has ended the plan already.
    if (noticeUntil !== null && (!trigger || noticeUntil < trigger.returnedAt - clocksApartMs)) {
      const before = orders.filter((each) => !lateShares.some(({ id }) => id === each.id));
      return [...unusedShares(before, unusedAfter(before, noticeUntil)), ...lateShares];
    }
    if (outcome.owed === "nothing" || !trigger) return lateShares;
    if (outcome.owed === "all") return withdrawn ?? [];
    // The plan ended earlier for another reason: its unused time was forfeited then. A lost dispute is dated by our clock.
    if (endedAt !== null && endedAt < trigger.returnedAt - clocksApartMs) return lateShares;
    // What was charged before the site learned of it has paid for nothing either.
    const isSince = ({ paidAt }: ContractOrder<Id>) => paidAt > trigger.returnedAt;
    const before = orders.filter((each) => !isSince(each));
    const unused = unusedAfter(before, trigger.returnedAt);
    return [...unusedShares(before, unused), ...wholeShares(orders.filter(isSince))];
  };
  const send = owed().map(({ id, amountMinor }) => ({ id, amountMinor: amountMinor - sentOf(orders, id) }));
  return {
    ...outcome,
    send: send.filter(({ amountMinor }) => amountMinor > 0),
    creditToDeductMinor:
      trigger && outcome.subscription === "ends" ? overpaidMinor(orders, outcome, trigger.returnedAt) : 0,
    covered: outcome.owed === "all" && declaredAt !== null ? coveredBy(orders, declaredAt).map(({ id }) => id) : [],
  };
}

/** How far Stripe's clock may differ from ours: a refund made before a withdrawal was declared doesn't settle it. */
const clocksApartMs = minuteMs;

/**
 * The reason is a lost dispute if disputes took everything that was returned. An order that was also refunded in full has another reason.
 */
function moneyBackReasonOf(returned: readonly ContractOrder[], withdrawnAt: number | null): MoneyBackReason {
  const refunded = returned.filter(({ lostMinor, returnedMinor }) => lostMinor !== returnedMinor);
  if (returned.length > 0 && refunded.length === 0) return "dispute-lost";
  const isAnswered =
    withdrawnAt !== null && refunded.some(({ returnedAt }) => returnedAt >= withdrawnAt - clocksApartMs);
  return isAnswered || (withdrawnAt !== null && returned.length === 0) ? "withdrawal" : "operator";
}

function sentOf(orders: readonly ContractOrder[], orderId: InvoiceId | OrderId): number {
  return orders.find(({ id }) => id === orderId)?.restSentMinor ?? 0;
}
