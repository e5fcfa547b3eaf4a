import type { App } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { changeCancellation } from "#app/modules/subscriptions/commands/change-cancellation.server.ts";
import { findProcessingOrder } from "#app/modules/orders/changes.queries.server.ts";
import type { ProviderTrouble } from "#app/modules/subscriptions/provider.rules.ts";
import type { PlanMoveRefusal } from "#app/modules/subscriptions/rules.ts";
import { type ClosingRefusal, giveUpChoice } from "#app/modules/checkout/commands/close-purchase.server.ts";
import { reconcileOrders } from "#app/modules/billing-sync/commands/reconcile-orders.server.ts";

type Powers = Parameters<typeof reconcileOrders>[0] & Pick<App, "db">;

export type MovePlanRefusal = PlanMoveRefusal | ProviderTrouble | ClosingRefusal;

/** What became of it, in the word that the page says it by. */
export type MovedPlan = "plan-cancelled" | "plan-ended" | "plan-resumed" | "change-undone" | "change-given-up";

const messages = { cancel: "plan-cancelled", resume: "plan-resumed", "undo-change": "change-undone" } as const;

/**
 * Ends the plan, takes that back, or takes back a change. One that isn't paid is given up first: who ends the plan, or stays with
 * it, pays for no other one.
 */
export async function movePlan(
  app: Powers,
  account: Account,
  move: "cancel" | "resume" | "undo-change",
): Promise<Result<MovedPlan, MovePlanRefusal>> {
  const given = move === "resume" ? done(null) : await giveUpChoice(app, account.id);
  // A change that the bank is working on can't be called back, and keeps nobody from cancelling at the end of the period.
  const isInProcess = !given.ok && given.refusal.reason === "payment-in-process";
  if (!given.ok && !(isInProcess && move === "cancel")) return given;
  if (given.ok && given.value && move === "undo-change") {
    // What had been planned before is planned again by the sync.
    await reconcileOrders(app, account.id);
    return done("change-given-up");
  }
  const changed = await changeCancellation(app, account, move);
  if (!changed.ok) {
    const { refusal } = changed;
    return refusal.reason === "payment-in-process" ? refuseForPayment(app, account.id) : refused(refusal);
  }
  // A sync that asked before and writes after would show the plan as it was. This one asks after; without an answer, events follow.
  await reconcileOrders(app, account.id);
  return done(changed.value.state === "ended" ? "plan-ended" : messages[move]);
}

/** Names the order whose payment is processing. Our row of it may be behind the provider. */
async function refuseForPayment(app: Powers, accountId: string): Promise<Result<never, MovePlanRefusal>> {
  await reconcileOrders(app, accountId);
  const [order] = await findProcessingOrder(app.db, accountId);
  return order
    ? refused({ reason: "payment-in-process", orderId: order.id })
    : refused({ reason: "provider-refused", code: "payment-in-process" });
}
