import { dayMs } from "#app/core/time/time.ts";
import type { Claims } from "#app/modules/devices/entitlement.rules.ts";
import type { Broken } from "../../story.ts";
import { cronDelayMs, type World } from "../world.ts";
import { promisedGraceMs } from "./access-book.ts";
import { paidLines } from "./paid-lines.ts";

/** Webhooks that are late or lost. */
const untilHeardMs = 3 * dayMs + cronDelayMs;

/**
 * A product may do what was paid for: its plan is one of which Stripe has a paid period, until the grace after it is over. A locked plan
 * gives no access. A plan without a price needs no payment.
 */
export function findClaimViolation(world: World, { sub: accountId, plan, access }: Claims): Broken | null {
  const isFree = world.product.plans.some(({ id, prices }) => id === plan && prices === null);
  if (plan === null || isFree || access !== "full") return null;
  const customer = world.records.customerOf(accountId);
  const paid = paidLines(world).filter((line) => line.customer === customer && line.plan === plan);
  const until = Math.max(0, ...paid.map(({ untilMs }) => untilMs)) + promisedGraceMs + untilHeardMs;
  return until < world.now()
    ? { invariant: "a device may do what was paid for", details: { accountId, plan, customer, paid: paid.slice(-3) } }
    : null;
}
