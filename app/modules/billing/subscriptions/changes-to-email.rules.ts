/**
 * Decides which changes of a subscription its owner is emailed about. Invariant: each step contains the previous values, so that of
 * concurrent syncs only one writes it. Called from the reconciler and the cron job.
 */
import { policies, type Subscription } from "./rules.ts";

type StepKind = "cancelled" | "resumed" | "planned" | "changed" | "locked" | "unlocked" | "ended";

export type SubscriptionChange = {
  kind: StepKind;
  before: Subscription;
  after: Subscription;
  /** The old and new values of the columns that show the change. */
  from: Partial<Subscription>;
  to: Partial<Subscription>;
};

/** The steps from one state to the next. "Ended" is the last step and excludes the others. */
export function changesToEmail(before: Subscription, after: Subscription): SubscriptionChange[] {
  if (!policies[before.state].keepsPlan) return [];
  const step = (kind: StepKind, ...names: (keyof Subscription)[]): SubscriptionChange => ({
    kind,
    before,
    after,
    from: pick(before, names),
    to: pick(after, names),
  });
  if (after.state === "ended") return [step("ended", "endedAt")];
  if (!policies[after.state].keepsPlan) return [];
  const hadAccess = policies[before.state].hasAccess;
  const hasAccess = policies[after.state].hasAccess;
  const isPlanned = after.pendingPlanId !== null;
  const isRescheduled =
    isPlanned && (after.pendingPlanId !== before.pendingPlanId || after.pendingInterval !== before.pendingInterval);
  return [
    ...(after.cancelsAt !== null && after.cancelsAt < (before.cancelsAt ?? Infinity)
      ? [step("cancelled", "cancelsAt")]
      : []),
    ...(before.cancelsAt !== null && after.cancelsAt === null ? [step("resumed", "cancelsAt")] : []),
    ...(isRescheduled ? [step("planned", "pendingPlanId", "pendingInterval", "pendingAt", "pendingMinor")] : []),
    ...(before.planId !== after.planId || before.interval !== after.interval
      ? [step("changed", "planId", "interval")]
      : []),
    ...(hadAccess && !hasAccess ? [step("locked", "state")] : []),
    ...(!hadAccess && hasAccess ? [step("unlocked", "state")] : []),
  ];
}

/** Why a plan ended, for its email: it was cancelled, or its payment failed. Null if neither. */
export function endedBecause({
  before,
  after,
}: Pick<SubscriptionChange, "before" | "after">): "cancelled" | "unpaid" | null {
  const { cancelsAt } = before;
  if (cancelsAt !== null && (after.endedAt ?? 0) >= cancelsAt) return "cancelled";
  return after.endCause === "payment-failed" ? "unpaid" : null;
}

function pick(subscription: Subscription, names: (keyof Subscription)[]): Partial<Subscription> {
  return Object.fromEntries(names.map((name) => [name, subscription[name]]));
}
