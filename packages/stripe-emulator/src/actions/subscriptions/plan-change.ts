import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { periodEnd } from "../../time/period-end.ts";
import { netPrices } from "../../objects/invoices/discounts.ts";
import { grossOf } from "../../objects/invoices/invoice-lines.ts";
import { newInvoiceItem } from "../../objects/invoices/invoice-items.ts";
import { productName } from "../../objects/catalogue/products.ts";
import { periodOf } from "../../objects/subscriptions/subscription-shape.ts";
import { dayOf, shareFrom } from "../../money/proration.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { changedItems, isSameInterval, type ItemInput } from "./change-items.ts";
import { findDebit } from "../payments/find-debit.ts";

export const PRORATION_BEHAVIORS = ["always_invoice", "create_prorations", "none"] as const;

export interface ChangeInput {
  items?: ItemInput[] | undefined;
  prorationBehavior?: (typeof PRORATION_BEHAVIORS)[number] | undefined;
  /** Calculates as though the change were made then, so that the quoted amount is the one charged. */
  prorationDate?: number | undefined;
  startsCycleNow?: boolean;
  trialEnd?: number | "now" | undefined;
  /** The caller's parameter names, for refusals. */
  paths?: { items: string; prorationDate: string };
}

export interface PlannedChange {
  before: Stripe.Subscription;
  after: Stripe.Subscription;
  /** Credits first, as at Stripe. Not stored yet. */
  prorations: Stripe.InvoiceItem[];
  /** The billing period starts again and is charged in full. */
  startsPeriod: boolean;
  /** An invoice is created now. Otherwise the prorations wait for the next one. */
  billsNow: boolean;
}

/** What a change would do, in numbers. Writes nothing: the preview and the change itself both begin with it. */
export function planChange(tx: Transaction, before: Stripe.Subscription, input: ChangeInput): PlannedChange {
  const at = input.prorationDate ?? tx.clock.now();
  requireWithinPeriod(before, input);
  const data =
    input.items === undefined
      ? before.items.data
      : changedItems(tx, before, input.items, input.paths?.items ?? "items");
  const startsPeriod = beginsAnew(before, data, input);
  const after = startsPeriod ? withNewPeriod(tx, before, data, input) : withItems(before, data);
  const behavior = input.prorationBehavior ?? "create_prorations";
  const prorations = behavior === "none" ? [] : prorate(tx, before, after, { at, startsPeriod });
  return {
    before,
    after,
    prorations,
    startsPeriod,
    billsNow: startsPeriod || (behavior === "always_invoice" && prorations.length > 0),
  };
}

function requireWithinPeriod(subscription: Stripe.Subscription, { prorationDate, paths }: ChangeInput): void {
  if (prorationDate === undefined) return;
  const { start, end } = periodOf(subscription);
  if (prorationDate < start || prorationDate > end)
    throw invalid("The subscription proration date must be within the current billing period.", {
      param: paths?.prorationDate ?? "proration_date",
    });
}

/** Stripe starts a new cycle when the interval changes, a trial begins or ends, or a free plan becomes a paid one. */
function beginsAnew(before: Stripe.Subscription, data: Stripe.SubscriptionItem[], input: ChangeInput): boolean {
  if (input.startsCycleNow === true || input.trialEnd !== undefined) return true;
  if (before.status === "trialing") return false;
  const [old] = before.items.data;
  const [item] = data;
  if (old === undefined || item === undefined) return false;
  const wasFree = before.items.data.every((each) => grossOf(each) === 0);
  return !isSameInterval(old.price, item.price) || (wasFree && data.some((each) => grossOf(each) > 0));
}

const withItems = (subscription: Stripe.Subscription, data: Stripe.SubscriptionItem[]): Stripe.Subscription => ({
  ...subscription,
  items: { ...subscription.items, data },
});

function withNewPeriod(
  tx: Transaction,
  before: Stripe.Subscription,
  data: Stripe.SubscriptionItem[],
  { trialEnd }: ChangeInput,
): Stripe.Subscription {
  const now = tx.clock.now();
  const isTrial = typeof trialEnd === "number" && trialEnd > now;
  const anchor = isTrial ? trialEnd : now;
  const items = data.map((item) => ({
    ...item,
    current_period_start: now,
    current_period_end: isTrial || item.price.recurring === null ? anchor : periodEnd(now, now, item.price.recurring),
  }));
  const wasTrial = before.status === "trialing";
  return {
    ...withItems(before, items),
    billing_cycle_anchor: anchor,
    status: isTrial ? "trialing" : wasTrial ? "active" : before.status,
    trial_start: isTrial ? (wasTrial ? before.trial_start : now) : before.trial_start,
    trial_end: isTrial ? trialEnd : wasTrial ? now : before.trial_end,
  };
}

/** Paid time that isn't used is credited; the rest of the period is charged at the new price. */
function prorate(
  tx: Transaction,
  before: Stripe.Subscription,
  after: Stripe.Subscription,
  { at, startsPeriod }: { at: number; startsPeriod: boolean },
): Stripe.InvoiceItem[] {
  if (before.status === "trialing" || at >= periodOf(before).end) return [];
  const left = before.items.data.filter((item) => startsPeriod || isOther(item, after.items.data));
  const come = startsPeriod ? [] : after.items.data.filter((item) => isOther(item, before.items.data));
  return [
    ...left.flatMap((item) => creditFor(tx, before, item, at) ?? []),
    ...come.map((item) => chargeFor(tx, after, item, at)),
  ];
}

const isOther = (item: Stripe.SubscriptionItem, others: Stripe.SubscriptionItem[]): boolean =>
  !others.some((other) => other.id === item.id && other.price.id === item.price.id && other.quantity === item.quantity);

/** Stripe's flexible billing mode credits a part of what was charged, not of today's price. */
function creditFor(
  tx: Transaction,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  at: number,
): Stripe.InvoiceItem | null {
  const debit = findDebit(tx, subscription, item, at);
  if (debit === null) return null;
  const amount = shareFrom(at, debit.period, debit.amount, item.price.currency);
  return newInvoiceItem(tx.clock.now(), {
    subscription,
    item,
    amount: amount === 0 ? 0 : -amount,
    period: { start: at, end: debit.period.end },
    description: `Unused time on ${nameOf(tx, item)} after ${dayOf(at)}`,
    credits: debit.reference,
    discounts: debit.discounts,
  });
}

function chargeFor(
  tx: Transaction,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  at: number,
): Stripe.InvoiceItem {
  const period = { start: item.current_period_start, end: item.current_period_end };
  const net = netPrices(tx, subscription).get(item.id);
  return newInvoiceItem(tx.clock.now(), {
    subscription,
    item,
    amount: shareFrom(at, period, net?.amount ?? 0, item.price.currency),
    period: { start: at, end: period.end },
    description: `Remaining time on ${nameOf(tx, item)} after ${dayOf(at)}`,
    credits: null,
    discounts: net?.discounts ?? [],
  });
}

const nameOf = (tx: Transaction, item: Stripe.SubscriptionItem): string =>
  (item.quantity ?? 1) === 1 ? productName(tx, item.price) : `${item.quantity} × ${productName(tx, item.price)}`;
