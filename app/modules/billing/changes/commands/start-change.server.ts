import { isPriceDifferent } from "#app/core/stripe/provider-refusal.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { newId } from "#app/core/id.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { policies, runningSubscription, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { findRunningSubscription, listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { priceMinorOf } from "#app/modules/catalogue/rules.ts";
import { addChange, findBegunChange } from "#app/modules/billing/orders/changes.queries.server.ts";
import { closeChoice, abandonChoice } from "#app/modules/billing/checkout/commands/close-purchase.server.ts";
import { type BegunChange, chargeChange } from "./charge-change.server.ts";
import {
  isInput,
  checkInput,
  previewFor,
  priceForChange,
  type StartChangeRefusal,
  type Input,
} from "../reads/offer-change.server.ts";
import { type Quote, isQuoteCurrent, readQuote } from "#app/modules/billing/checkout/quote.rules.ts";
import { draftLifeMs, type Order } from "#app/modules/billing/orders/rules.ts";
import { refuseBuyer } from "#app/modules/billing/subscriptions/commands/refuse-buyer.server.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import type { CheckoutRefusal } from "#app/modules/billing/checkout/commands/start-checkout.server.ts";
import { findOpenChoice, findOrder, readOrder } from "#app/modules/billing/orders/queries.server.ts";
import { changeOrderState } from "#app/modules/billing/orders/states.queries.server.ts";

type Deps = Parameters<typeof reconcileCustomer>[0] & Pick<App, "gate">;
/** `planned` means scheduled for the next period, `stayed` that a scheduled change was removed. */
type StartedChange = { kind: "planned" } | { kind: "stayed" } | BegunChange;
type Started = Result<StartedChange, StartChangeRefusal>;

/**
 * Confirms a change of plan. An immediate change is charged as quoted, with the quote's proration date; its order is written first and
 * its id is the idempotency key. The plan changes once the payment succeeds. Repeated clicks with one quote find the same order, even if
 * it is paid by then.
 */
export async function startChange(
  app: Deps,
  account: Account,
  input: Input & { quote: string | undefined },
): Promise<Started> {
  const { db, payments } = app;
  if (!payments) return refused({ reason: "not-on-sale" });
  const quote = await readQuote(app.pepper, account.id, input.quote);
  const { subscriptions, begun } = await batchNamed(db, {
    subscriptions: listSubscriptions(db, account.id),
    begun: findBegunChange(db, account.id, { ...input, prorationAt: quote?.prorationAt ?? null }),
  });
  const [before] = begun.map(readOrder);
  if (before?.paidAt) return done({ kind: "begun", order: before });
  const running = runningSubscription(subscriptions);
  if (!running) return refused({ reason: "no-plan" });
  const paying = { ...app, payments };
  if (before && canResume(before, app.clock())) return resumeChange(paying, running, before);
  const { timing, refusal } = checkInput(app, running, input);
  if (refusal) return refused(refusal);
  if (timing !== "now") return changeLater(paying, account, running, { ...input, isReturn: timing === null }, quote);
  return quote && quote.prorationAt === null
    ? changeLaterInstead(paying, account, running, input, quote)
    : changeNow(paying, account, running, input, quote);
}

/** Quoted for the next period because the plan couldn't be changed immediately: scheduled, if that still applies. */
async function changeLaterInstead(
  app: Paying,
  account: Account,
  running: Subscription,
  input: Input,
  quote: Quote,
): Promise<Started> {
  const blocker = await app.payments.findChangeBlocker(running.id);
  if (!blocker.ok) return blocker;
  if (blocker.value === "payment-due") return refuseDue(app, account);
  return blocker.value
    ? changeLater(app, account, running, { ...input, isReturn: false }, quote)
    : refused({ reason: "quote-moved" });
}

/** A renewal failed that the site didn't know of. The sync tries a new card; if that pays, there is a new offer. */
async function refuseDue(app: Paying, account: Account): Promise<Started> {
  const reconciled = await reconcileCustomer(app, account.id);
  const running = await findRunningSubscription(app.db, account.id);
  const isPaid = reconciled.ok && running !== null && !policies[running.state].needsPayment;
  return refused({ reason: isPaid ? "quote-moved" : "payment-due" });
}

type Paying = Deps & { payments: NonNullable<App["payments"]> };

/** Stripe forgets the idempotency key of an older order and would charge again. */
function canResume({ state, expiresAt }: Order, now: number): boolean {
  return state !== "draft" || (expiresAt ?? 0) > now;
}

async function changeLater(
  app: Paying,
  account: Account,
  running: Subscription,
  { planId, interval, isReturn }: Input & { isReturn: boolean },
  quote: Quote | null,
): Promise<Started> {
  const priceMinor = isReturn ? running.amountMinor : priceMinorOf(app.product, planId, interval);
  // A quote for an immediate charge doesn't apply to a scheduled change.
  const isOfNow = quote?.prorationAt != null;
  if (isOfNow || !isQuoteCurrent(quote, { amountMinor: priceMinor, currency: running.currency }, app.clock())) {
    return refused({ reason: "quote-moved" });
  }
  const given = await abandonChoice(app, account.id);
  if (!given.ok) return given;
  // Back to the running plan: removes the scheduled change.
  const answer = isReturn
    ? await app.payments.releaseChange(running.id)
    : await app.payments.scheduleChange({
        subscriptionId: running.id,
        price: priceForChange(app.product, running, { planId, interval }),
      });
  if (!answer.ok) return refused(await refuseBuyer(app, answer.refusal));
  const reconciled = await reconcileCustomer(app, account.id);
  if (!reconciled.ok) return refused(asUnreachable(reconciled.refusal));
  return done({ kind: isReturn ? "stayed" : "planned" });
}

async function changeNow(
  app: Paying,
  account: Account,
  running: Subscription,
  input: Input,
  quote: Quote | null,
): Promise<Started> {
  if (quote?.prorationAt == null || !isQuoteCurrent(quote, quote, app.clock()))
    return refused({ reason: "quote-moved" });
  const [open] = (await findOpenChoice(app.db, account.id)).map(readOrder);
  if (open && isFor(open, input, quote) && canResume(open, app.clock())) return resumeChange(app, running, open);
  // Another unpaid change is closed, so that the customer can't pay for both.
  const closed = open ? await closeChoice(app, open) : done(null);
  if (!closed.ok) return closed;
  const today = await previewFor(app, app.payments, { running, input, prorationAt: quote.prorationAt });
  if (!today.ok && isPriceDifferent(today.refusal)) return refused(await refuseBuyer(app, today.refusal));
  // Refused, for example because the proration date is before the running period: what was quoted can't be charged any more.
  if (!today.ok && today.refusal.reason !== "provider-refused") return refused(today.refusal);
  const { id: accountId } = account;
  const change = { accountId, planId: input.planId, interval: input.interval, prorationAt: quote.prorationAt };
  if (today.ok && today.value.blocker === "payment-due") return refuseDue(app, account);
  if (today.ok && today.value.blocker) return refused({ reason: "quote-moved" });
  if (today.ok && isQuoteCurrent(quote, today.value, app.clock())) {
    const { amountMinor, currency, creditMinor, carriedMinor } = today.value;
    const charge = { amountMinor, currency, creditMinor: creditMinor - carriedMinor };
    await app.db.batch(addChange(app.db, { ...change, ...charge, ...beginning(app, running) }));
  }
  const { begun, others } = await batchNamed(app.db, {
    begun: findBegunChange(app.db, accountId, change),
    others: findOpenChoice(app.db, accountId),
  });
  // Another click may have written and paid it meanwhile; then Stripe would charge nothing.
  const [order] = begun.map(readOrder);
  if (order) return order.paidAt ? done({ kind: "begun", order }) : chargeChange(app, running, order);
  const [other] = others.map(readOrder);
  return refused(other ? { reason: "payment-in-process", orderId: other.id } : { reason: "quote-moved" });
}

/**
 * Continues a change whose charge had no answer. If that was never made, and the change costs something else by now (another price was
 * deployed), it is cancelled and there is a new offer.
 */
async function resumeChange(app: Paying, running: Subscription, order: Order): Promise<Started> {
  if (order.state !== "draft" || (await costsAsQuoted(app, running, order))) return chargeChange(app, running, order);
  const reconciled = await reconcileCustomer(app, order.accountId);
  const [now] = (await findOrder(app.db, order.id, order.accountId)).map(readOrder);
  if (now && now.state !== "draft") return done({ kind: "begun", order: now });
  // It may still be charged by a call that Stripe hasn't finished.
  if (!reconciled.ok || now?.isUnconfirmed) return refused({ reason: "payment-unconfirmed", orderId: order.id });
  const cancelled = { to: "cancelled", from: ["draft"], failure: null } as const;
  await app.db.batch(changeOrderState(app.db, order.id, cancelled, app.clock()));
  return refused({ reason: "quote-moved" });
}

async function costsAsQuoted(app: Paying, running: Subscription, order: Order): Promise<boolean> {
  const today = await previewFor(app, app.payments, { running, input: order, prorationAt: order.prorationAt });
  // Without an answer, or after a change that was made, its idempotency key decides.
  if (!today.ok || today.value.blocker) return true;
  return today.value.amountMinor === order.amountMinor && today.value.currency === order.currency;
}

/** Names the running plan, so that the change applies only to this plan, even if another tab changed it first. */
function beginning(app: Paying, { id, planId, interval }: Subscription) {
  const now = app.clock();
  const from = { subscriptionId: id, fromPlanId: planId, fromInterval: interval };
  return { id: newId("ord", app.random), ...from, now, expiresAt: now + draftLifeMs };
}

function isFor(order: Order, input: Input, quote: Quote): boolean {
  return order.kind === "change" && isInput(order, input) && order.prorationAt === quote.prorationAt;
}

function asUnreachable(refusal: { reason: string }): CheckoutRefusal {
  return refusal.reason === "not-on-sale"
    ? { reason: "not-on-sale" }
    : { reason: "provider-unreachable", isFinal: false };
}
