/**
 * Decides whether a plan ends and what is still owed when an order of its contract was refunded, by the table in contract.rules.ts.
 * Invariant: its input is always a group of orders decided together (contract-orders.rules.ts), oldest first. Called from the reconciler
 * (reconcile-contracts), the page of an order and the operators' calls.
 */
import type { OrderId } from "#app/core/id.ts";
import { sumMinor } from "#app/core/money/money.ts";
import { roundAmount } from "#app/core/money/round-amount.ts";
import type { InvoiceId } from "#app/core/stripe/ids.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { type ContractOrder, continues, coveredBy, isReturned } from "./contract-orders.rules.ts";

/** What is refunded of one order, by the order's own id or its invoice's. */
type Share<Id extends InvoiceId | OrderId> = { id: Id; amountMinor: number };

/** What goes back as it was paid: money by refunds, and the orders' credit to the balance. Of the credit it is all that ever goes back. */
export type Owed<Id extends InvoiceId | OrderId> = { money: Share<Id>[]; credit: Share<Id>[] };

/**
 * What goes back after a withdrawal declared at `declaredAt`: all of every order that could be withdrawn from then, and of earlier ones
 * the part that was unused when the first of those replaced them. Earlier refunds are deducted. Null if no order could be withdrawn from.
 */
export function withdrawalOwed<Id extends InvoiceId | OrderId>(
  orders: readonly ContractOrder<Id>[],
  declaredAt: number,
): Owed<Id> | null {
  const covered = coveredBy(orders, declaredAt);
  const [firstCovered] = covered;
  if (!firstCovered) return null;
  const earlier = orders.slice(0, -covered.length);
  const whole = covered.map((order) => ({ order, amountMinor: leftOf(order) }));
  // What is left over as credit has been returned already.
  const paidBack = spread(whole, Math.max(0, sumMinor(whole) - leftOverOf(covered)));
  return together(unusedOwed(earlier, takenOver(firstCovered, earlier)), {
    money: paidBack,
    credit: wholeOwed(covered).credit,
  });
}

/** An order with each refund and lost dispute in `returnedMinor`, and when it was made or decided. */
export type DatedOrder<Id extends InvoiceId | OrderId> = ContractOrder<Id> & {
  returns: readonly { amountMinor: number; at: number }[];
};

/**
 * What goes back of a plan that ended because a newer one has run since `supersededAt`: the part that was unused then, and all that was
 * charged later. What was refunded before lowered the price; what the site sent, or came back by another way since, is deducted.
 */
export function supersededOwed<Id extends InvoiceId | OrderId>(
  orders: readonly DatedOrder<Id>[],
  { supersededAt }: { supersededAt: number },
): Owed<Id> {
  const sinceOf = ({ returns }: DatedOrder<Id>) => sumMinor(returns.filter(({ at }) => at > supersededAt));
  const asOfThen = orders.map((order) => {
    return { ...order, returnedMinor: order.returnedMinor - sinceOf(order), restSentMinor: 0 };
  });
  const before = asOfThen.filter(({ paidAt }) => paidAt <= supersededAt);
  const later = asOfThen.filter(({ paidAt }) => paidAt > supersededAt);
  const owed = together(unusedOwed(before, unusedSince(before, { at: supersededAt })), wholeOwed(later));
  const parts = orders.map((order) => {
    const shareMinor = sumMinor(owed.money.filter(({ id }) => id === order.id)) - order.restSentMinor;
    return { order, amountMinor: Math.max(0, Math.min(shareMinor, leftOf(order) - order.restSentMinor)) };
  });
  const gone = orders.reduce((sum, order) => sum + sinceOf(order) + order.restSentMinor, 0);
  return { money: spread(parts, Math.max(0, sumMinor(owed.money) - gone)), credit: owed.credit };
}

function together<Id extends InvoiceId | OrderId>(...parts: Owed<Id>[]): Owed<Id> {
  return { money: parts.flatMap(({ money }) => money), credit: parts.flatMap(({ credit }) => credit) };
}

/** How much of the orders' lines was unused, before discounts and refunds; not rounded. */
type Unused = { unusedMinor: number };

/** What is owed for it, newest order first: that one paid for the remaining time. */
function unusedOwed<Id extends InvoiceId | OrderId>(orders: readonly ContractOrder<Id>[], unused: Unused): Owed<Id> {
  const money = orders.map((order) => ({ order, amountMinor: leftOf(order) }));
  const credit = orders.map((order) => ({ order, amountMinor: Math.max(0, order.creditMinor) }));
  // An order that was refunded in full returns all of its credit.
  const isKept = ({ order }: { order: ContractOrder<Id> }) => !isReturned(order);
  const paidMoney = unusedPart(orders, unused, moneyOf(orders));
  const paid = unusedPart(orders, unused, moneyOf(orders) + sumMinor(credit));
  // The difference of two rounded amounts, so that money and credit add up to the unused part.
  const owedCredit = paid - Math.max(0, paidMoney) - sumMinor(credit.filter((part) => !isKept(part)));
  return {
    money: spread(money, Math.max(0, owedMinor(orders, unused))),
    credit: spread(credit.filter(isKept), Math.max(0, owedCredit)),
  };
}

/** What is owed in money, less refunds. Negative if more than that was refunded. */
function owedMinor(orders: readonly ContractOrder[], unused: Unused): number {
  const returned = orders.filter(isReturned).reduce((sum, order) => sum + order.returnedMinor, 0);
  return totalOf(orders) > 0 ? unusedPart(orders, unused, moneyOf(orders)) - returned : 0;
}

/** What was paid in money. A partial refund lowered the price; an order refunded in full has paid for nothing. */
function moneyOf(orders: readonly ContractOrder[]): number {
  return orders.reduce((sum, order) => sum + order.paidMinor + Math.min(0, order.creditMinor) - reduction(order), 0);
}

/** As large a part of a price as was unused of the lines. */
function unusedPart(orders: readonly ContractOrder[], { unusedMinor }: Unused, priceMinor: number): number {
  const [newest] = orders.slice(-1);
  const total = totalOf(orders);
  if (!newest || total <= 0) return 0;
  const exactMinor = (priceMinor * Math.min(total, Math.max(0, unusedMinor))) / total;
  return roundAmount(exactMinor, newest.currency);
}

function totalOf(orders: readonly ContractOrder[]): number {
  return sumMinor(orders.flatMap(({ lines }) => lines));
}

type Moment = { at: number };

/** What of the orders' lines is for the time since then. */
function unusedSince(orders: readonly ContractOrder[], moment: Moment): Unused {
  const lines = orders.flatMap((order) => order.lines);
  return { unusedMinor: lines.reduce((sum, line) => sum + line.amountMinor * shareSince(line, moment), 0) };
}

/** What of the lines of the orders before a change it took over: what its own invoice credits for them, as Stripe rounded it. */
function takenOver(change: ContractOrder, before: readonly ContractOrder[]): Unused {
  const credits = change.lines.filter(({ amountMinor }) => amountMinor < 0);
  return credits.length > 0 ? { unusedMinor: -sumMinor(credits) } : unusedSince(before, { at: change.paidAt });
}

/** What a change left over as credit and was refunded as well. The site deducts that credit, up to what is left of it. */
function overpaidMinor(orders: readonly ContractOrder[], { owed }: ContractOutcome, moment: Moment): number {
  const leftOver = leftOverOf(orders);
  const over =
    owed === "all"
      ? leftOver - sumMinor(orders.map((order) => ({ amountMinor: leftOf(order) })))
      : -owedMinor(orders, unusedSince(orders, moment));
  return Math.min(leftOver, Math.max(0, over));
}

function leftOverOf(orders: readonly ContractOrder[]): number {
  return orders.reduce((sum, { creditMinor }) => sum + Math.max(0, -creditMinor), 0);
}

function reduction(order: ContractOrder): number {
  return isReturned(order) ? 0 : order.returnedMinor;
}

function wholeOwed<Id extends InvoiceId | OrderId>(orders: readonly ContractOrder<Id>[]): Owed<Id> {
  return {
    money: orders.map((order) => ({ id: order.id, amountMinor: leftOf(order) })),
    credit: orders.map(({ id, creditMinor }) => ({ id, amountMinor: Math.max(0, creditMinor) })),
  };
}

function leftOf({ paidMinor, returnedMinor }: ContractOrder): number {
  return Math.max(0, paidMinor - returnedMinor);
}

/** The share of a line's period since then. */
function shareSince({ periodStartsAt, periodEndsAt }: ContractOrder["lines"][number], { at }: Moment): number {
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
 * Orders by invoice: `ended` if their plan ended because of refunds, `withdrawn` if they were withdrawn from, `covered` if that withdrawal
 * covers them in full, and how much of the credit that paid them goes back.
 */
export type Undone = Record<"ended" | "withdrawn" | "covered", Set<InvoiceId>> & { creditBack: Map<InvoiceId, number> };

export type ContractVerdict<Id extends InvoiceId | OrderId> = ContractOutcome & {
  /** Refunds that the site still has to make, by order. */
  send: Share<Id>[];
  /** The credit of orders that goes back to the balance, in all. */
  creditBack: Share<Id>[];
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
  const withdrawn = declaredAt === null ? null : withdrawalOwed(orders, declaredAt);
  const reason = moneyBackReasonOf(returned, withdrawn === null ? null : declaredAt);
  const outcome = trigger ? contractTable[reason].full : isPartial ? contractTable[reason].part : untouched;
  const owed = (): Owed<Id> => {
    // A change whose payment arrived after the plan had ended has paid for nothing.
    const isLate = (each: ContractOrder<Id>) => continues(each) && endedAt !== null && each.paidAt > endedAt;
    const late = wholeOwed(orders.filter(isLate));
    // Nothing is forfeited by notice: what comes after it was paid for nothing. A refund that came before has ended the plan already.
    if (noticeUntil !== null && (!trigger || noticeUntil < trigger.returnedAt - clocksApartMs)) {
      const before = orders.filter((each) => !isLate(each));
      return together(unusedOwed(before, unusedSince(before, { at: noticeUntil })), late);
    }
    if (outcome.owed === "nothing" || !trigger) return late;
    if (outcome.owed === "all") return withdrawn ?? { money: [], credit: [] };
    // The plan ended earlier for another reason: its unused time was forfeited then. A lost dispute is dated by our clock.
    if (endedAt !== null && endedAt < trigger.returnedAt - clocksApartMs) return late;
    // What was charged before the site learned of it has paid for nothing either.
    const isSince = ({ paidAt }: ContractOrder<Id>) => paidAt > trigger.returnedAt;
    const before = orders.filter((each) => !isSince(each));
    return together(
      unusedOwed(before, unusedSince(before, { at: trigger.returnedAt })),
      wholeOwed(orders.filter(isSince)),
    );
  };
  const { money, credit } = owed();
  const send = money.map(({ id, amountMinor }) => ({ id, amountMinor: amountMinor - sentOf(orders, id) }));
  return {
    ...outcome,
    send: send.filter(({ amountMinor }) => amountMinor > 0),
    creditBack: credit.filter(({ amountMinor }) => amountMinor > 0),
    creditToDeductMinor:
      trigger && outcome.subscription === "ends" ? overpaidMinor(orders, outcome, { at: trigger.returnedAt }) : 0,
    covered: outcome.owed === "all" && declaredAt !== null ? coveredBy(orders, declaredAt).map(({ id }) => id) : [],
  };
}

/** What comes back of a plan that ends now, in money and credit, although its notice isn't over before `noticeUntil`. */
export function refundAfterNotice(orders: readonly ContractOrder[], noticeUntil: number): number {
  const { send, creditBack } = decideContract(orders, { declaredAt: null, endedAt: noticeUntil, noticeUntil });
  return sumMinor(send) + sumMinor(creditBack);
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

// What a refund or a lost dispute means for a contract --------------------------------------------------------------

/** Which order of a contract: the one that began it, a change of plan, or a change of a changed plan. */
export const contractStages = ["purchase", "change", "change-of-change"] as const;
/** Why money went back: a declared withdrawal that an operator refunds, a refund without one, or a lost dispute. */
export type MoneyBackReason = "withdrawal" | "operator" | "dispute-lost";
/** How much of one order was returned. */
export type HowMuch = "part" | "full";

type ContractOutcome = {
  subscription: "continues" | "ends";
  /** What the site refunds of the contract's other orders: nothing, all that the withdrawal covers, or the unused part. */
  owed: "nothing" | "all" | "unused";
  /** Whether a declared withdrawal stays open or is settled. */
  declaration: "open" | "settled";
  /**
   * What the pages of all the contract's orders show: an offer to withdraw from it, or from what is left of it (none if nothing is left),
   * that a withdrawal was declared, or that the refund settled it.
   */
  offered: "withdrawal" | "withdrawal-of-rest" | "declared" | "settled";
};

/** Nothing was returned, or only part of an order, which counts as a lower price. */
export const untouched = {
  subscription: "continues",
  owed: "nothing",
  declaration: "open",
  offered: "withdrawal",
} as const satisfies ContractOutcome;

const ends = { subscription: "ends", owed: "unused", declaration: "settled", offered: "withdrawal-of-rest" } as const;

/** The outcomes are the same for each stage, since the orders are one contract. */
export const contractTable: Record<MoneyBackReason, Record<HowMuch, ContractOutcome>> = {
  withdrawal: {
    part: { ...untouched, offered: "declared" },
    full: { ...ends, owed: "all", offered: "settled" },
  },
  operator: { part: untouched, full: ends },
  "dispute-lost": { part: untouched, full: { ...ends, declaration: "open" } },
};
