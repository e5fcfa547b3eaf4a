import { isMissing } from "#app/core/stripe/provider-refusal.ts";
import { invariant } from "#app/core/invariant.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { newId, type OrderId } from "#app/core/id.ts";
import { netAmountFor } from "#app/core/money/net-amount.ts";
import type { MoneyAmount } from "#app/core/money/money.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import type { BuyerTrouble, ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { refuseBuyer } from "#app/modules/billing/subscriptions/commands/refuse-buyer.server.ts";
import { runningSubscription, needsNewCheckout, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { type ChoiceRefusal, checkChoice } from "#app/modules/catalogue/choice.rules.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { resultPath } from "#app/core/page-paths.ts";
import { shownPrice } from "#app/modules/catalogue/shown-prices.rules.ts";
import { closeChoice, closePurchase, type ClosingRefusal } from "./close-purchase.server.ts";
import { type Ensured, ensureCustomer } from "./ensure-customer.server.ts";
import { isQuoteCurrent, readQuote } from "../quote.rules.ts";
import { draftLifeMs, type Order } from "#app/modules/billing/orders/rules.ts";
import type { UnconfirmedRefusal } from "#app/modules/billing/orders/states.rules.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { addPurchase, openOrder } from "../purchases.queries.server.ts";
import { changeOrderState } from "#app/modules/billing/orders/states.queries.server.ts";
import { findOpenChoice, findOrder, readOrder } from "#app/modules/billing/orders/queries.server.ts";

type Deps = Parameters<typeof reconcileCustomer>[0] & Pick<App, "gate">;

export type Choice = {
  planId: string;
  interval: Interval;
  quote: string | undefined;
  /** What Stripe takes off because of the account's credit; negative if it adds a debt. */
  creditMinor: number;
};

export type CheckoutRefusal =
  | { reason: "account-closed" }
  | ChoiceRefusal
  | { reason: "quote-moved" }
  | { reason: "subscribed-already"; planId: string }
  | { reason: "plan-disputed" }
  | BuyerTrouble
  | UnconfirmedRefusal
  | ClosingRefusal;

/**
 * Opens Stripe's Checkout for a choice, or finds the open one. The order is written first and its id is the idempotency key, so that two
 * clicks, two tabs, a lost answer or a retry lead to one order and one checkout.
 */
export async function startCheckout(
  app: Deps,
  account: Account,
  choice: Choice,
): Promise<Result<{ orderId: OrderId; url: string }, CheckoutRefusal>> {
  const chosen = checkChoice(app, choice);
  if (!chosen.ok) return chosen;
  const { payments } = app;
  if (!payments) return refused({ reason: "not-on-sale" });
  const now = app.clock();
  const price = priceAfterCredit(chosen.value.price, choice);
  const quote = await readQuote(app.pepper, account.id, choice.quote);
  if (!isQuoteCurrent(quote, price, now)) return refused({ reason: "quote-moved" });

  // While the order is open, everything taken from the balance counts as credit: the individual parts aren't listed yet.
  const creditMinor = price.creditMinor - price.carriedMinor;
  const input = { planId: choice.planId, interval: choice.interval, ...price, creditMinor };
  const begun = await beginPurchase(app, account, input);
  const isOver = begun.ok && (await isCheckoutOver(payments, begun.value));
  // The event of its end was lost: sync, then begin another order.
  if (isOver) await reconcileCustomer(app, account.id);
  const current = isOver ? await beginPurchase(app, account, input) : begun;
  if (!current.ok) return current;
  const order = current.value;
  if (order.checkoutUrl && order.state !== "draft") return done({ orderId: order.id, url: order.checkoutUrl });

  const opened = await openCheckout({ ...app, payments }, account, order);
  if (opened.ok || opened.refusal.reason !== "provider-unreachable") return opened;
  // The same click sent twice: while one request creates the checkout, Stripe makes the other wait or answers with nothing.
  const [row] = await findOrder(app.db, order.id, account.id);
  return row?.checkoutUrl ? done({ orderId: order.id, url: row.checkoutUrl }) : opened;
}

/** Without an answer it counts as open; its page shows what became of it. */
async function isCheckoutOver(payments: NonNullable<App["payments"]>, { state, checkoutId }: Order): Promise<boolean> {
  if (state === "draft" || checkoutId === null) return false;
  const answer = await payments.isCheckoutOpen(checkoutId);
  return answer.ok && !answer.value;
}

type Opening = Deps & { payments: NonNullable<App["payments"]> };

async function openCheckout(
  app: Opening,
  account: Account,
  order: Order,
): Promise<Result<{ orderId: OrderId; url: string }, CheckoutRefusal>> {
  const { db, payments } = app;
  const customer = await ensureCustomer(app, account);
  // Creating the customer may work later: only a definite refusal ends the order.
  if (!customer.ok) return giveUpRefused(app, order, customer.refusal, false);
  const first = await openFor(app, account, order, customer.value);
  // The customer was deleted at Stripe.
  const isForgotten = !first.ok && isMissing(first.refusal);
  const recreated = isForgotten ? await ensureCustomer(app, account, customer.value.customerId) : null;
  const checkout = recreated?.ok ? await openFor(app, account, order, recreated.value) : first;
  if (!checkout.ok) return giveUpRefused(app, order, checkout.refusal, isReplayed(checkout.refusal));
  const { rows } = await batchNamed(db, {
    opened: openOrder(db, order, checkout.value, app.clock()),
    rows: findOrder(db, order.id, account.id),
  });
  if (rows[0]?.checkoutId === checkout.value.id && checkout.value.url) {
    return done({ orderId: order.id, url: checkout.value.url });
  }
  // Another tab closed this order meanwhile, by choosing another plan or closing the account: its checkout must not stay payable.
  await payments.expireCheckout(checkout.value.id);
  return refused({ reason: "payment-in-process", orderId: order.id });
}

/** A failure that Stripe would repeat under this order's idempotency key. */
function isReplayed(refusal: ProviderFailure): boolean {
  return refusal.reason === "provider-unreachable" && refusal.isFinal;
}

/** A definite refusal cancels the order. Without an answer it stays open, and the next click resumes it. */
async function giveUpRefused(app: Opening, order: Order, refusal: ProviderFailure, isOver: boolean) {
  if (isOver || refusal.reason === "provider-refused") {
    await app.db.batch(changeOrderState(app.db, order.id, { to: "cancelled", failure: null }, app.clock()));
  }
  return refused(await refuseBuyer(app, refusal));
}

async function openFor(app: Opening, account: Account, order: Order, { customerId, isNew }: Ensured) {
  const others = isNew ? done(null) : await app.payments.expireOtherCheckouts(customerId, order.id);
  if (!others.ok) return others;
  return app.payments.openCheckout({
    orderId: order.id,
    accountId: account.id,
    customerId,
    price: shownPrice(app.product, order.planId, order.interval),
    successUrl: app.origin + resultPath("success", order.id),
    cancelUrl: app.origin + resultPath("cancelled", order.id),
  });
}

/** What is charged for a price and how much credit is used: never more than the price. */
export function priceAfterCredit(price: MoneyAmount, { creditMinor }: Pick<Choice, "creditMinor">) {
  return { ...netAmountFor(price.amountMinor, creditMinor, price.currency), currency: price.currency };
}

type Input = { planId: string; interval: Interval } & ReturnType<typeof priceAfterCredit>;

/** The open order for this input: the existing one, or a new one. An open order for another choice is closed first. */
async function beginPurchase(app: Deps, account: Account, input: Input): Promise<Result<Order, CheckoutRefusal>> {
  const { db } = app;
  const now = app.clock();
  const purchase = { id: newId("ord", app.random), accountId: account.id, ...input, now, expiresAt: now + draftLifeMs };
  const { subscriptions, earlier } = await batchNamed(db, {
    subscriptions: listSubscriptions(db, account.id),
    earlier: findOpenChoice(db, account.id),
  });
  const running = runningSubscription(subscriptions);
  if (running && !needsNewCheckout(running)) return refused(whyKept(running));
  const [before] = earlier.map(readOrder);
  if (before) {
    if (before.state === "processing") return refused({ reason: "payment-in-process", orderId: before.id });
    if (before.isUnconfirmed) return refused({ reason: "payment-unconfirmed", orderId: before.id });
    // A checkout without a URL is complete and can't be resumed.
    const canResume = before.state === "draft" || before.checkoutUrl !== null;
    if (isFor(before, input) && canResume && (before.expiresAt ?? 0) > now) return done(before);
    // A change of a plan that has ended: it must not be paid any more.
    const closed = await (before.kind === "change" ? closeChoice : closePurchase)(app, before);
    if (!closed.ok) return closed;
  }
  const { opened, after, owners } = await batchNamed(db, {
    purchase: addPurchase(db, purchase),
    opened: findOpenChoice(db, account.id),
    after: listSubscriptions(db, account.id),
    owners: findAccount(db, account.id),
  });
  const [order] = opened.map(readOrder);
  const started = runningSubscription(after);
  if (!order && started && !needsNewCheckout(started)) return refused(whyKept(started));
  if (!order && owners[0]?.state !== "active") return refused({ reason: "account-closed" });
  invariant(order, "A purchase was started, but has no open order");
  // Another tab chose another plan at the same moment: that order is open, and the user is shown it.
  return isFor(order, input) ? done(order) : refused({ reason: "payment-in-process", orderId: order.id });
}

function whyKept({ planId, pauseCause }: Subscription): CheckoutRefusal {
  return pauseCause === "disputed" ? { reason: "plan-disputed" } : { reason: "subscribed-already", planId };
}

function isFor(order: Order, input: Input): boolean {
  const isSame = order.planId === input.planId && order.interval === input.interval;
  return order.kind === "new-plan" && isSame && order.amountMinor === input.amountMinor;
}
