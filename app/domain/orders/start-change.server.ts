import type { App } from "#app/context.ts";
import type { Account } from "#app/domain/accounts/rules.ts";
import { newId } from "#app/domain/kernel/id.ts";
import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import { runningSubscription, type Subscription } from "#app/domain/plans/rules.ts";
import { listSubscriptions, readSubscription } from "#app/domain/plans/store.server.ts";
import { findPlan, priceKey, priceOf } from "#app/domain/product/rules.ts";
import { addChange, findOpenChange, openChange } from "./changes.store.server.ts";
import { changeOrderState } from "./moves.store.server.ts";
import { judgeWish, previewFor, type StartChangeRefusal, type Wish } from "./offer-change.server.ts";
import { type Quote, quoteHolds, readQuote } from "./quote.rules.ts";
import { draftLifeMs, type Order } from "./rules.ts";
import { settleOrders } from "./settle-orders.server.ts";
import { type CheckoutRefusal, closePurchase } from "./start-checkout.server.ts";
import { findOrder, readOrder } from "./store.server.ts";

type Powers = Parameters<typeof settleOrders>[0] & Pick<App, "gate">;
type Payments = NonNullable<App["payments"]>;
/** `planned`: begins with the next period. `begun`: its order says what became of the charge. */
export type StartedChange = { kind: "planned" } | { kind: "begun"; order: Order };

/**
 * Confirms a change of plan. One that begins now is charged by the quote that was shown, reckoned by the same moment; its order
 * row comes first and lends its id as idempotency key. The plan is another once the money is there.
 */
export async function startChange(
  app: Powers,
  account: Account,
  wish: Wish & { quote: string | undefined },
): Promise<Result<StartedChange, StartChangeRefusal>> {
  const { payments } = app;
  if (!payments) return refused({ reason: "not-on-sale" });
  const running = runningSubscription((await listSubscriptions(app.db, account.id)).map(readSubscription));
  if (!running) return refused({ reason: "no-plan" });
  const { timing, refusal } = judgeWish(app, running, wish);
  if (refusal) return refused(refusal);
  const quote = readQuote(wish.quote);
  if (timing === "now") return changeNow({ ...app, payments }, account, running, wish, quote);
  const plan = findPlan(app.product, wish.planId);
  if (!plan || !quoteHolds(quote, priceOf(app.product, plan, wish.interval), app.clock())) {
    return refused({ reason: "quote-moved" });
  }
  // Back to what runs already, while another was to begin: nothing is to begin.
  const told =
    timing === null
      ? await payments.releaseChange(running.id)
      : await payments.planChange({ subscriptionId: running.id, priceKey: priceKey(wish.planId, wish.interval) });
  if (!told.ok) return told;
  const settled = await settleOrders(app, account.id);
  return settled.ok ? done({ kind: "planned" }) : refused(asUnreachable(settled.refusal));
}

type Paying = Powers & { payments: Payments };

async function changeNow(
  app: Paying,
  account: Account,
  running: Subscription,
  wish: Wish,
  quote: Quote | null,
): Promise<Result<StartedChange, StartChangeRefusal>> {
  const begun = await findBegun(app, account, wish, quote);
  if (!begun.ok) return begun;
  if (begun.value) return charge(app, running, begun.value);
  if (quote?.prorationAt == null || !quoteHolds(quote, quote, app.clock())) return refused({ reason: "quote-moved" });
  const today = await previewFor(app.payments, running, wish, quote.prorationAt);
  // The moment has left the running period, say: what was seen can't be charged any more.
  if (!today.ok)
    return refused(today.refusal.reason === "provider-refused" ? { reason: "quote-moved" } : today.refusal);
  if (!quoteHolds(quote, today.value, app.clock())) return refused({ reason: "quote-moved" });
  const now = app.clock();
  const { amountMinor, creditMinor, currency } = today.value;
  const [, , rows] = await app.db.batch([
    ...addChange(app.db, {
      id: newId("ord", app.random),
      accountId: account.id,
      ...wish,
      amountMinor,
      creditMinor,
      currency,
      prorationAt: quote.prorationAt,
      subscriptionId: running.id,
      fromPlanId: running.planId,
      fromInterval: running.interval,
      now,
      expiresAt: now + draftLifeMs,
    }),
    findOpenChange(app.db, account.id),
  ]);
  const [order] = rows.map(readOrder);
  // What runs has changed since it was read: another tab was faster.
  if (!order) return refused({ reason: "quote-moved" });
  if (!isFor(order, wish, quote)) return refused({ reason: "payment-in-process", orderId: order.id });
  return charge(app, running, order);
}

/** The change that these very words began before: a second click goes on with it. Another one is closed first. */
async function findBegun(
  app: Paying,
  account: Account,
  wish: Wish,
  quote: Quote | null,
): Promise<Result<Order | null, StartChangeRefusal>> {
  const [before] = (await findOpenChange(app.db, account.id)).map(readOrder);
  if (!before) return done(null);
  if (isFor(before, wish, quote)) return done(before);
  if (before.state === "processing") return refused({ reason: "payment-in-process", orderId: before.id });
  const closed = await closePurchase(app, before);
  return closed.ok ? done(null) : closed;
}

function isFor(order: Order, wish: Wish, quote: Quote | null): boolean {
  return (
    order.planId === wish.planId &&
    order.interval === wish.interval &&
    order.prorationAt === (quote?.prorationAt ?? null)
  );
}

async function charge(
  app: Paying,
  running: Subscription,
  order: Order,
): Promise<Result<StartedChange, StartChangeRefusal>> {
  const { payments } = app;
  if (order.state === "draft") {
    if (running.pendingPlanId !== null) {
      const released = await payments.releaseChange(running.id);
      if (!released.ok) return released;
    }
    const changed = await payments.changePlan({
      orderId: order.id,
      subscriptionId: running.id,
      priceKey: priceKey(order.planId, order.interval),
      prorationAt: order.prorationAt,
    });
    if (changed.ok && changed.value.invoiceId) {
      await app.db.batch(openChange(app.db, order.id, changed.value.invoiceId, app.clock()));
    }
    if (!changed.ok && isFinal(changed.refusal)) {
      await app.db.batch(changeOrderState(app.db, order.id, { to: "cancelled", failure: null }, app.clock()));
      return changed;
    }
  }
  // Whatever was answered, and also where nothing was: the provider is asked what is true.
  const settled = await settleOrders(app, order.accountId);
  const [row] = (await findOrder(app.db, order.id, order.accountId)).map(readOrder);
  if (row && row.state !== "draft") return done({ kind: "begun", order: row });
  return refused(settled.ok ? { reason: "provider-unreachable", isFinal: false } : asUnreachable(settled.refusal));
}

/** An answer, and it was no: this order will never be charged. Without an answer it stays, for the next click to resume. */
function isFinal(
  refusal: { reason: "provider-unreachable"; isFinal: boolean } | { reason: "provider-refused" },
): boolean {
  return refusal.reason === "provider-refused" || refusal.isFinal;
}

function asUnreachable(refusal: { reason: string }): CheckoutRefusal {
  return refusal.reason === "not-on-sale"
    ? { reason: "not-on-sale" }
    : { reason: "provider-unreachable", isFinal: false };
}
