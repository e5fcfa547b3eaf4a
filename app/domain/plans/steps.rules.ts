/**
 * What can become of a subscription between two looks at it, as far as its owner should hear of it. Each step names what
 * stood before, so that of two who saw the same only one takes it.
 */
import { policies, type Subscription } from "./rules.ts";

export type StepKind = "cancelled" | "resumed" | "planned" | "changed" | "locked" | "unlocked";

export type Step = {
  kind: StepKind;
  before: Subscription;
  after: Subscription;
  /** The columns that tell that it happened: what they were, and what they are. */
  from: Partial<Subscription>;
  to: Partial<Subscription>;
};

/** The steps from one standing to the next, none when it has ended: that was told when it was cancelled or refunded. */
export function judgeSteps(before: Subscription, after: Subscription): Step[] {
  if (!policies[after.state].keepsPlan || !policies[before.state].keepsPlan) return [];
  const step = (kind: StepKind, ...names: (keyof Subscription)[]): Step => ({
    kind,
    before,
    after,
    from: pick(before, names),
    to: pick(after, names),
  });
  const hadAccess = policies[before.state].hasAccess;
  const hasAccess = policies[after.state].hasAccess;
  const isPlanned = after.pendingPlanId !== null;
  const isPlannedAnew =
    isPlanned && (after.pendingPlanId !== before.pendingPlanId || after.pendingInterval !== before.pendingInterval);
  return [
    ...(before.cancelsAt === null && after.cancelsAt !== null ? [step("cancelled", "cancelsAt")] : []),
    ...(before.cancelsAt !== null && after.cancelsAt === null ? [step("resumed", "cancelsAt")] : []),
    ...(isPlannedAnew ? [step("planned", "pendingPlanId", "pendingInterval", "pendingAt")] : []),
    ...(before.planId !== after.planId || before.interval !== after.interval
      ? [step("changed", "planId", "interval")]
      : []),
    ...(hadAccess && !hasAccess ? [step("locked", "state")] : []),
    ...(!hadAccess && hasAccess ? [step("unlocked", "state")] : []),
  ];
}

function pick(subscription: Subscription, names: (keyof Subscription)[]): Partial<Subscription> {
  return Object.fromEntries(names.map((name) => [name, subscription[name]]));
}
