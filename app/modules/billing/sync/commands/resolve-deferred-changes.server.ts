import { type OrderId, readId } from "#app/core/id.ts";
import type { App, Billing } from "#app/app.ts";
import { done, type Result } from "#app/core/result.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { findPlan } from "#app/modules/catalogue/rules.ts";
import type { OrderChange } from "./compare-order.server.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { isOpen } from "#app/modules/billing/orders/states.rules.ts";

type Deps = Pick<App, "db" | "clock" | "product" | "report"> & { payments: NonNullable<App["payments"]> };
type ScheduledChange = Billing["scheduledChanges"][number];

/**
 * A change scheduled for the next period is deferred while an immediate change is being paid. If the immediate change is paid, the
 * scheduled one is dropped. If it expires unpaid, the schedule is restored. Until then the change still counts as scheduled. Returns the
 * scheduled changes after this sync.
 */
export async function resolveDeferredChanges(
  app: Deps,
  orders: Order[],
  changes: OrderChange[],
  billing: Billing,
): Promise<Result<ScheduledChange[], ProviderFailure>> {
  const remaining: ScheduledChange[] = [];
  for (const scheduledChange of billing.scheduledChanges) {
    const orderId = readId("ord", scheduledChange.deferredFor);
    const outcome = orderId === null ? "open" : outcomeOf(orderId, orders, changes);
    if (orderId === null || outcome === "open") {
      remaining.push(scheduledChange);
      continue;
    }
    const ended = await endDeferred(app, { ...scheduledChange, orderId }, outcome);
    if (!ended.ok) return ended;
    if (ended.value === "restored") remaining.push({ ...scheduledChange, deferredFor: null });
  }
  return done(remaining);
}

type Outcome = "open" | "paid" | "over";

/** The state of an immediate change after this sync; also "over" if the order is unknown. */
function outcomeOf(orderId: OrderId, orders: Order[], changes: OrderChange[]): Outcome {
  const order = orders.find(({ id }) => id === orderId);
  const change = changes.find(
    ({ match, kind }) => match.order.id === orderId && (kind === "paid" || kind === "changed"),
  );
  if (change?.kind === "paid" || order?.paidAt) return "paid";
  const state = change?.kind === "changed" ? change.to : order?.state;
  return state && isOpen(state) ? "open" : "over";
}

async function endDeferred(
  app: Deps,
  deferred: ScheduledChange & { orderId: OrderId },
  outcome: "paid" | "over",
): Promise<Result<"restored" | "dropped", ProviderFailure>> {
  const { product, payments, report } = app;
  const isSold = findPlan(product, deferred.planId)?.prices != null;
  if (outcome === "over" && isSold) {
    const back = await payments.restoreDeferredChange(deferred);
    if (back.ok) return done(back.value ? "restored" : "dropped");
    if (back.refusal.reason === "provider-unreachable") return back;
    report(new Error(`The scheduled change of ${deferred.subscriptionId} couldn't be restored: ${back.refusal.code}`));
  }
  const dropped = await payments.dropDeferredChange(deferred);
  return dropped.ok || dropped.refusal.reason !== "provider-unreachable" ? done("dropped") : dropped;
}
