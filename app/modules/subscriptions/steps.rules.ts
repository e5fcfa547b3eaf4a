/**
 * What can become of a subscription between two looks at it, as far as its owner should hear of it. Each step names what
 * stood before, so that of two who saw the same only one takes it.
 */
import { policies, type Subscription } from "./rules.ts";

export type StepKind = "cancelled" | "resumed" | "planned" | "changed" | "locked" | "unlocked" | "ended";

export type Step = {
  kind: StepKind;
  before: Subscription;
  after: Subscription;
  /** The columns that tell that it happened: what they were, and what they are. */
  from: Partial<Subscription>;
  to: Partial<Subscription>;
};

/** The steps from one standing to the next. Once it has ended, that is all there is to tell, and there is no way back. */
export function judgeSteps(before: Subscription, after: Subscription): Step[] {
  if (!policies[before.state].keepsPlan) return [];
  const step = (kind: StepKind, ...names: (keyof Subscription)[]): Step => ({
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

/** Why a plan is over, as far as its owner should be reminded: they cancelled it, or a payment was missing; null: neither. */
export function endedBecause({ before, after }: Pick<Step, "before" | "after">): "cancelled" | "unpaid" | null {
  const { cancelsAt } = before;
  if (cancelsAt !== null && (after.endedAt ?? 0) >= cancelsAt) return "cancelled";
  return policies[before.state].needsPayment ? "unpaid" : null;
}

function pick(subscription: Subscription, names: (keyof Subscription)[]): Partial<Subscription> {
  return Object.fromEntries(names.map((name) => [name, subscription[name]]));
}
