import type Stripe from "stripe";
import { dayMs, hourMs, secondMs } from "#app/core/time/time.ts";
import type { Broken, Deed } from "../../story.ts";
import type { Cast } from "../people/cast.ts";
import type { World } from "../world.ts";

/** Deeds after which a plan may end before its period does. */
const endings: readonly Deed["do"][] = [
  "cancels",
  "declares a cancellation",
  "closes the account",
  "withdraws",
  "is refunded",
  "disputes",
];

/** A bank takes weeks to decide. */
const endingMs = 100 * dayMs;

/** A plan that owes a renewal ends with its period at the earliest, unless its owner or a refund ends it. Read once a simulated day. */
export class OwingBook {
  readonly #world: World;
  readonly #cast: Cast;
  /** When the periods end of the plans that owed something at the last reading. */
  #owing = new Map<string, number>();

  constructor(world: World, cast: Cast) {
    this.#world = world;
    this.#cast = cast;
  }

  findViolation(): Broken | null {
    const plans = this.#world.records.objects<Stripe.Subscription>("subscription");
    const owing = this.#owing;
    this.#owing = new Map(plans.filter(({ status }) => status === "past_due" || status === "unpaid").map(periodOf));
    for (const plan of plans) {
      const until = owing.get(plan.id);
      const endedAt = (plan.ended_at ?? Infinity) * secondMs;
      if (until !== undefined && endedAt < until - hourMs && this.#wasPaid(plan) && !this.#isEnded(plan))
        return {
          invariant: "a plan that owes a renewal can be paid until its period ends",
          details: { plan: plan.id, endedAt, until },
        };
    }
    return null;
  }

  /** Whether an invoice of the plan was ever paid: a first payment that fails after the checkout ends its plan. */
  #wasPaid({ id }: Stripe.Subscription): boolean {
    return this.#world.records
      .objects<Stripe.Invoice>("invoice")
      .some(({ status, parent }) => status === "paid" && String(parent?.subscription_details?.subscription) === id);
  }

  #isEnded({ customer }: Stripe.Subscription): boolean {
    const { records } = this.#world;
    const since = this.#world.now() - endingMs;
    const owners = this.#cast.people.filter(({ accountIds }) =>
      [...accountIds].some((id) => records.customerOf(id) === customer),
    );
    // The customer was deleted with the account.
    if (owners.length === 0) return true;
    return this.#cast.deeds.some(
      ({ at, who, deed }) => at > since && endings.includes(deed.do) && owners.some(({ name }) => name === who),
    );
  }
}

const periodOf = ({ id, items }: Stripe.Subscription): [string, number] => [
  id,
  (items.data[0]?.current_period_end ?? 0) * secondMs,
];
