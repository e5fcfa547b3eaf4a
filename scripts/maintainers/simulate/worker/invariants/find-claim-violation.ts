import { dayMs } from "#app/core/time/time.ts";
import type { Claims } from "#app/modules/billing/entitlements/entitlement.rules.ts";
import type { Broken } from "../../story.ts";
import { cronDelayMs, type World } from "../world.ts";
import { promisedGraceMs } from "./access-book.ts";
import { paidLines } from "./paid-lines.ts";

/** How long the site may not have heard of a change, if webhooks are late or lost. */
const untilHeardMs = 3 * dayMs + cronDelayMs;

/** A product may do what was paid for: no more, and no less than what the account's running plan says, before and after the claims were made. */
export function findClaimViolation(world: World, claims: Claims, running: readonly (string | null)[]): Broken | null {
  return findTooMuch(world, claims) ?? findTooLittle(claims, running);
}

/** The plan of the account that a device belongs to, by the rows alone. */
export async function runningPlanOf(world: World, device: string): Promise<string | null> {
  const [running] = await world.records.query<{ plan: string }>(
    `select s.plan_id as plan from subscriptions s join devices d on d.account_id = s.account_id
     where d.id = ? and s.state in ('active', 'past-due-grace')`,
    device,
  );
  return running?.plan ?? null;
}

/**
 * The claimed plan is one of which Stripe has a paid period, or a smaller one, until the grace after that is over. A locked plan gives no
 * access. A plan without a price needs no payment.
 */
function findTooMuch(world: World, { sub: accountId, plan, access }: Claims): Broken | null {
  const { plans } = world.product;
  const isFree = plans.some(({ id, prices }) => id === plan && prices === null);
  if (plan === null || isFree || access !== "full") return null;
  const customer = world.records.customerOf(accountId);
  const rank = (name: string) => plans.findIndex(({ id }) => id === name);
  const paid = paidLines(world).filter((line) => line.customer === customer && rank(line.plan) >= rank(plan));
  const until = Math.max(0, ...paid.map(({ untilMs }) => untilMs)) + promisedGraceMs + untilHeardMs;
  return until < world.now()
    ? { invariant: "a device may do what was paid for", details: { accountId, plan, customer, paid: paid.slice(-3) } }
    : null;
}

/** Compares only plans that are the same before and after: another request may change the plan at the same time. */
function findTooLittle({ sub: accountId, plan, access }: Claims, running: readonly (string | null)[]): Broken | null {
  const [before = null, after] = running;
  return before !== null && before === after && (before !== plan || access !== "full")
    ? { invariant: "a device may do all that its plan allows", details: { accountId, plan, access, running } }
    : null;
}
