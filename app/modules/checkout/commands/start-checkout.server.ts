import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { newId } from "#app/core/id.ts";
import { chargeFor } from "#app/core/money/charge.ts";
import type { Money } from "#app/core/money/money.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import {
  type BuyerTrouble,
  isUnknownThere,
  nameTrouble,
  type ProviderTrouble,
} from "#app/modules/subscriptions/provider.rules.ts";
import { runningSubscription, startsAnew } from "#app/modules/subscriptions/rules.ts";
import { listSubscriptions, readSubscription } from "#app/modules/subscriptions/queries.server.ts";
import { type ChoiceRefusal, judgeChoice } from "#app/modules/catalogue/choice.rules.ts";
import { type Interval, priceKey } from "#app/modules/catalogue/rules.ts";
import { closeChoice, closePurchase, type ClosingRefusal } from "./close-purchase.server.ts";
import { type Ensured, ensureCustomer } from "./ensure-customer.server.ts";
import { quoteHolds, readQuote } from "../quote.rules.ts";
import { draftLifeMs, type Order } from "#app/modules/orders/rules.ts";
import type { UnconfirmedRefusal } from "#app/modules/orders/unconfirmed.rules.ts";
import { reconcileOrders } from "#app/modules/billing-sync/commands/reconcile-orders.server.ts";
import { addPurchase, openOrder } from "../purchases.queries.server.ts";
import { changeOrderState } from "#app/modules/orders/moves.queries.server.ts";
import { findOpenChoice, findOrder, readOrder } from "#app/modules/orders/queries.server.ts";

type Powers = Parameters<typeof reconcileOrders>[0] & Pick<App, "gate">;

export type Choice = {
  planId: string;
  interval: Interval;
  quote: string | undefined;
  /** What the provider takes off it, since the account has credit; below zero, what it adds. */
  creditMinor: number;
};

export type CheckoutRefusal =
  | { reason: "account-leaving" }
  | ChoiceRefusal
  | { reason: "quote-moved" }
  | { reason: "subscribed-already"; planId: string }
  | BuyerTrouble
  | UnconfirmedRefusal
  | ClosingRefusal;

/**
 * Opens the hosted checkout for a choice, or finds the one that is open. The order row comes first and lends its id as
 * idempotency key, so two clicks, two tabs, a lost answer and a retry all end in one order and one checkout.
 */
export async function startCheckout(
  app: Powers,
  account: Account,
  choice: Choice,
): Promise<Result<{ orderId: string; url: string }, CheckoutRefusal>> {
  const chosen = judgeChoice(app, choice);
  if (!chosen.ok) return chosen;
  const { payments } = app;
  if (!payments) return refused({ reason: "not-on-sale" });
  const now = app.clock();
  const price = reduced(chosen.value.price, choice);
  const quote = await readQuote(app.pepper, account.id, choice.quote);
  if (!quoteHolds(quote, price, now)) return refused({ reason: "quote-moved" });

  // While an order is open, all that the balance takes off counts as credit: its lines aren't there to tell the parts.
  const creditMinor = price.creditMinor - price.carriedMinor;
  const input = { planId: choice.planId, interval: choice.interval, ...price, creditMinor };
  const begun = await beginPurchase(app, account, input);
  const isOver = begun.ok && (await hasEnded(payments, begun.value));
  // News of its end was lost. The sync hears it, and another one begins.
  if (isOver) await reconcileOrders(app, account.id);
  const current = isOver ? await beginPurchase(app, account, input) : begun;
  if (!current.ok) return current;
  const order = current.value;
  if (order.checkoutUrl && order.state !== "draft") return done({ orderId: order.id, url: order.checkoutUrl });

  const opened = await openCheckout({ ...app, payments }, account, order);
  if (opened.ok || opened.refusal.reason !== "provider-unreachable") return opened;
  // The same click, sent twice: while one opens the checkout the provider tells the other to wait, or nothing at all.
  const [row] = await findOrder(app.db, order.id, account.id);
  return row?.checkoutUrl ? done({ orderId: order.id, url: row.checkoutUrl }) : opened;
}

/** Without an answer it is taken to be open: its page says what became of it. */
async function hasEnded(payments: NonNullable<App["payments"]>, { state, checkoutId }: Order): Promise<boolean> {
  if (state === "draft" || checkoutId === null) return false;
  const asked = await payments.isCheckoutOpen(checkoutId);
  return asked.ok && !asked.value;
}

type Opening = Powers & { payments: NonNullable<App["payments"]> };

async function openCheckout(
  app: Opening,
  account: Account,
  order: Order,
): Promise<Result<{ orderId: string; url: string }, CheckoutRefusal>> {
  const { db, payments } = app;
  const customer = await ensureCustomer(app, account);
  // A customer that can't be made now may be later: only an answer that was no ends the order.
  if (!customer.ok) return giveUpRefused(app, order, customer.refusal, false);
  const first = await openFor(app, account, order, customer.value);
  // Somebody deleted the customer at the provider.
  const isForgotten = !first.ok && isUnknownThere(first.refusal);
  const anew = isForgotten ? await ensureCustomer(app, account, customer.value.customerId) : null;
  const checkout = anew?.ok ? await openFor(app, account, order, anew.value) : first;
  if (!checkout.ok) return giveUpRefused(app, order, checkout.refusal, isReplayed(checkout.refusal));
  const { rows } = await batchNamed(db, {
    opened: openOrder(db, order, checkout.value, app.clock()),
    rows: findOrder(db, order.id, account.id),
  });
  if (rows[0]?.checkoutId === checkout.value.id && checkout.value.url) {
    return done({ orderId: order.id, url: checkout.value.url });
  }
  // Another tab chose another plan meanwhile, or left for good, and closed this order: what it opened must not stay payable.
  await payments.expireCheckout(checkout.value.id);
  return refused({ reason: "payment-in-process", orderId: order.id });
}

/** A failure that the provider would go on answering with under this order's key. */
function isReplayed(refusal: ProviderTrouble): boolean {
  return refusal.reason === "provider-unreachable" && refusal.isFinal;
}

/** An answer, and it was no: this order will never open. Without an answer it stays, for the next click to resume. */
async function giveUpRefused({ db, clock }: Opening, order: Order, refusal: ProviderTrouble, isOver: boolean) {
  if (isOver || refusal.reason === "provider-refused") {
    await db.batch(changeOrderState(db, order.id, { to: "cancelled", failure: null }, clock()));
  }
  return refused(nameTrouble(refusal));
}

async function openFor(app: Opening, account: Account, order: Order, { customerId, isNew }: Ensured) {
  const others = isNew ? done(null) : await app.payments.expireOtherCheckouts(customerId, order.id);
  if (!others.ok) return others;
  return app.payments.openCheckout({
    orderId: order.id,
    accountId: account.id,
    customerId,
    priceKey: priceKey(order.planId, order.interval),
    successUrl: `${app.origin}/payment/success?order=${order.id}`,
    cancelUrl: `${app.origin}/payment/cancelled?order=${order.id}`,
  });
}

/** What is charged for a price, and how much of it credit takes: never more than all of it. */
export function reduced(price: Money, { creditMinor }: Pick<Choice, "creditMinor">) {
  return { ...chargeFor(price.amountMinor, creditMinor, price.currency), currency: price.currency };
}

type Input = { planId: string; interval: Interval } & ReturnType<typeof reduced>;

/** The open order for this wish: the one that is there, or a new one. A different wish closes the open one first. */
async function beginPurchase(app: Powers, account: Account, input: Input): Promise<Result<Order, CheckoutRefusal>> {
  const { db } = app;
  const now = app.clock();
  const purchase = { id: newId("ord", app.random), accountId: account.id, ...input, now, expiresAt: now + draftLifeMs };
  const { subscriptions, earlier } = await batchNamed(db, {
    subscriptions: listSubscriptions(db, account.id),
    earlier: findOpenChoice(db, account.id),
  });
  const running = runningSubscription(subscriptions.map(readSubscription));
  if (running && !startsAnew(running)) return refused({ reason: "subscribed-already", planId: running.planId });
  const [before] = earlier.map(readOrder);
  if (before) {
    if (before.state === "processing") return refused({ reason: "payment-in-process", orderId: before.id });
    if (before.isUnconfirmed) return refused({ reason: "payment-unconfirmed", orderId: before.id });
    // A checkout without a page is complete: it can't be gone on with, whatever came of it.
    const canGoOn = before.state === "draft" || before.checkoutUrl !== null;
    if (isFor(before, input) && canGoOn && (before.expiresAt ?? 0) > now) return done(before);
    // A change of a plan that has ended meanwhile: nobody pays for it any more.
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
  const started = runningSubscription(after.map(readSubscription));
  if (!order && started && !startsAnew(started))
    return refused({ reason: "subscribed-already", planId: started.planId });
  if (!order && owners[0]?.state !== "active") return refused({ reason: "account-leaving" });
  if (!order) throw new Error("A purchase was begun but none is open");
  // Another tab chose another plan in the same moment: theirs is open, and the person sees it.
  return isFor(order, input) ? done(order) : refused({ reason: "payment-in-process", orderId: order.id });
}

function isFor(order: Order, input: Input): boolean {
  const isSame = order.planId === input.planId && order.interval === input.interval;
  // One with a discount was begun by a build that took it off at the checkout.
  const isWhole = order.discountMinor === 0;
  return order.kind === "new-plan" && isSame && isWhole && order.amountMinor === input.amountMinor;
}
