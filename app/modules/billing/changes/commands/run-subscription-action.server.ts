import { listDeclared } from "#app/modules/billing/withdrawals/withdrawals.queries.server.ts";
import { isPlanWithdrawn } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import type { AccountId } from "#app/core/id.ts";
import type { App } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { changeCancellation } from "#app/modules/billing/subscriptions/commands/change-cancellation.server.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { noticeEndsAt } from "#app/modules/billing/subscriptions/notice.rules.ts";
import { findProcessingOrder, findRenewedUntil } from "#app/modules/billing/orders/changes.queries.server.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import type { SubscriptionActionRefusal } from "#app/modules/billing/subscriptions/rules.ts";
import { type ClosingRefusal, abandonChoice } from "#app/modules/billing/checkout/commands/close-purchase.server.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";

type Deps = Parameters<typeof reconcileCustomer>[0] & Pick<App, "db">;

export type RunSubscriptionActionRefusal = SubscriptionActionRefusal | ProviderFailure | ClosingRefusal;

/** The result, as the code of the page's message. */
export type SubscriptionActionResult =
  | "plan-cancelled"
  | "plan-ended"
  | "plan-resumed"
  | "change-undone"
  | "change-given-up"
  | "purchase-given-up";

const resultOf = { cancel: "plan-cancelled", resume: "plan-resumed", "undo-change": "change-undone" } as const;

/**
 * Cancels a plan, resumes it, or undoes a change or a purchase. Unless it resumes the plan, it first cancels what isn't paid yet: a user
 * who cancels or keeps the plan doesn't pay for another one.
 */
export async function runSubscriptionAction(
  app: Deps,
  account: Account,
  action: "cancel" | "resume" | "undo-change",
  /** Set if anyone may have declared it, without a session: when, and when the plan is wanted to end at the earliest. */
  declared: { declaredAt: number; wantedAt: number | null } | null = null,
): Promise<Result<SubscriptionActionResult, RunSubscriptionActionRefusal>> {
  const given = action === "resume" ? done(null) : await abandonChoice(app, account.id);
  // A change whose payment is processing can't be cancelled, but doesn't prevent cancelling at the end of the period.
  const isInProcess = !given.ok && given.refusal.reason === "payment-in-process";
  if (!given.ok && !(isInProcess && action === "cancel")) return given;
  if (given.ok && given.value && action === "undo-change") {
    // The sync restores a change that was scheduled before.
    await reconcileCustomer(app, account.id);
    return done(given.value.kind === "change" ? "change-given-up" : "purchase-given-up");
  }
  const { withdrawals, renewed } = await batchNamed(app.db, {
    withdrawals: listDeclared(app.db, account.id),
    renewed: findRenewedUntil(app.db, account.id),
  });
  const notice = { renewedUntil: renewed[0]?.until ?? null, ...declared, now: app.clock() };
  const changed = await changeCancellation(
    app,
    account,
    action,
    isPlanWithdrawn.bind(null, withdrawals),
    (running) => noticeEndsAt(running, app.product, notice),
    declared?.declaredAt,
  );
  if (!changed.ok) {
    const { refusal } = changed;
    return refusal.reason === "payment-in-process" ? refuseForPayment(app, account.id) : refused(refusal);
  }
  // A concurrent sync that read Stripe before this change and writes after it would show the old state. This one reads after the change. If
  // Stripe doesn't answer it, webhooks follow.
  await reconcileCustomer(app, account.id);
  return done(changed.value.state === "ended" ? "plan-ended" : resultOf[action]);
}

/** Refuses with the order whose payment is processing. Syncs first, since our row may be behind Stripe. */
async function refuseForPayment(app: Deps, accountId: AccountId): Promise<Result<never, RunSubscriptionActionRefusal>> {
  await reconcileCustomer(app, accountId);
  const [order] = await findProcessingOrder(app.db, accountId);
  return order
    ? refused({ reason: "payment-in-process", orderId: order.id })
    : refused({ reason: "provider-refused", code: "payment-in-process" });
}
