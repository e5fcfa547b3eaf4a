import type Stripe from "stripe";
import { dayMs, hourMs, secondMs } from "#app/core/time/time.ts";
import type { Broken } from "../../story.ts";
import type { World } from "../world.ts";
import { type PaidLine, paidLines } from "./paid-lines.ts";

/** What the product promises after a failed renewal, once in 180 days. */
export const promisedGraceMs = 14 * dayMs;
const graceWindowMs = 180 * dayMs;

/** Stripe charges a renewal an hour after its period began. */
const untilChargedMs = 3 * hourMs;

const readEveryMs = 6 * hourMs;

type Seen = { at: number; unpaidMs: number; subscription: string };
type Plan = { accountId: string; id: string; hasAccess: 0 | 1 };

/**
 * How long each account has had access that isn't paid for, by what Stripe's invoices say: a period is paid if its invoice is, and wasn't refunded
 * in full. Independent of our rules: it reads only which accounts have access.
 */
export class AccessBook {
  readonly #world: World;
  readonly #unpaid = new Map<string, Seen[]>();
  /** The plans with access at the last reading. */
  #before = new Set<string>();
  #lastAt: number | null = null;
  /** Something kept the site from acting in time since the last reading. */
  #isDisturbed = false;

  constructor(world: World) {
    this.#world = world;
  }

  /** `isWhole` means that the cron job wasn't interrupted. */
  async afterCron(isWhole: boolean): Promise<Broken | null> {
    const now = this.#world.now();
    this.#isDisturbed ||= !isWhole || !this.#world.isUndisturbed;
    // Reading all of Stripe's invoices takes as long as the cron run itself.
    if (this.#lastAt !== null && now - this.#lastAt < readEveryMs) return null;
    const sinceMs = this.#lastAt === null ? 0 : now - this.#lastAt;
    const all = await this.#world.records.query<Plan>(
      `select account_id as accountId, id, state <> 'past-due-locked' as hasAccess from subscriptions
       where state in ('active', 'past-due-grace', 'past-due-locked')`,
    );
    const plans = all.filter(({ hasAccess }) => hasAccess === 1);
    const isDisturbed = this.#isDisturbed;
    const before = this.#before;
    this.#lastAt = now;
    this.#isDisturbed = false;
    this.#before = new Set(plans.map(({ id }) => id));
    if (all.length === 0 || isDisturbed) return null;
    const lines = paidLines(this.#world);
    for (const plan of all.filter(({ hasAccess }) => hasAccess === 0)) {
      const broken = this.#isLockedEarly(plan, lines);
      if (broken) return broken;
    }
    for (const plan of plans) {
      const broken = this.#graceEnds(plan, lines) ?? (before.has(plan.id) ? this.#isOnce(plan, lines, sinceMs) : null);
      if (broken) return broken;
    }
    return null;
  }

  /** Grace lasts 14 days, unless another invoice of the last 180 days wasn't paid either. What was refunded isn't a paid period. */
  #isLockedEarly({ accountId, id }: Plan, lines: PaidLine[]): Broken | null {
    const now = this.#world.now();
    const own = lines.filter(({ subscription }) => subscription === id);
    if (own.length === 0 || own.some(({ isReturned }) => isReturned)) return null;
    const unpaidMs = now - endOf(own);
    return unpaidMs < promisedGraceMs - dayMs && this.#countFailed(accountId, now - graceWindowMs - unpaidMs) < 2
      ? { invariant: "grace lasts 14 days", details: { accountId, subscription: id, unpaidDays: unpaidMs / dayMs } }
      : null;
  }

  /** Invoices of renewals that Stripe tried to charge, and that aren't paid. */
  #countFailed(accountId: string, since: number): number {
    const { records } = this.#world;
    const customer = records.customerOf(accountId);
    return records
      .objects<Stripe.Invoice>("invoice")
      .filter(
        (each) =>
          each.customer === customer &&
          each.status !== "paid" &&
          each.attempt_count > 0 &&
          each.created * secondMs > since,
      ).length;
  }

  /** The cron job locks a plan in the first run after its grace. A refund ends a plan in another way. */
  #graceEnds({ accountId, id }: Plan, lines: PaidLine[]): Broken | null {
    const unpaidMs = this.#world.now() - endOf(lines.filter(({ subscription }) => subscription === id));
    return unpaidMs > promisedGraceMs + untilChargedMs
      ? {
          invariant: "grace ends after 14 days",
          details: { accountId, subscription: id, unpaidDays: unpaidMs / dayMs },
        }
      : null;
  }

  /**
   * Counts the time between two readings at which the plan had access. Time that was locked in between or paid since isn't counted, even if
   * that payment was refunded later. A debt that the team wrote off was never paid.
   */
  #isOnce({ accountId, id }: Plan, lines: PaidLine[], sinceMs: number): Broken | null {
    const now = this.#world.now();
    const wasPaid = ({ at, subscription }: Seen) =>
      lines.some(
        (line) =>
          line.subscription === subscription &&
          !line.isReturned &&
          !line.isGiven &&
          line.fromMs <= at &&
          at <= line.untilMs,
      );
    const seen = (this.#unpaid.get(accountId) ?? []).filter((each) => each.at > now - graceWindowMs && !wasPaid(each));
    this.#unpaid.set(accountId, seen);
    const paidUntil = endOf(lines.filter((line) => line.subscription === id && !line.isReturned));
    if (now - paidUntil <= untilChargedMs) return null;
    seen.push({ at: now, unpaidMs: Math.min(sinceMs, now - paidUntil), subscription: id });
    const totalMs = seen.reduce((sum, each) => sum + each.unpaidMs, 0);
    return totalMs > promisedGraceMs + readEveryMs
      ? {
          invariant: "access is never longer than what is paid and 14 days of grace in 180",
          details: { accountId, subscription: id, unpaidDays: totalMs / dayMs },
        }
      : null;
  }
}

const endOf = (lines: PaidLine[]): number => Math.max(0, ...lines.map(({ untilMs }) => untilMs));
