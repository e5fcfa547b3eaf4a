import type Stripe from "stripe";
import { dayMs, minuteMs, secondMs } from "#app/core/time/time.ts";
import type { Broken, Deed } from "../../story.ts";
import type { Cast } from "../cast.ts";
import type { World } from "../world.ts";

/** What a deed that succeeded promises at once. */
export class Promises {
  readonly #world: World;
  readonly #cast: Cast;
  readonly #chargedBy = new Map<string, { at: number; charge: string }[]>();

  constructor(world: World, cast: Cast) {
    this.#world = world;
    this.#cast = cast;
  }

  async after(who: string, deed: Deed): Promise<Broken | null> {
    if (deed.do === "changes card" && deed.with === "own card") return this.#newCardPays(who);
    return deed.do === "pays what is due" ? this.#retriesAreLimited(who) : null;
  }

  /** The new card is charged for a renewal that failed, unless Stripe itself fails just then. */
  #newCardPays(who: string): Broken | null {
    const world = this.#world;
    const { person } = this.#cast.meet(who);
    const customer = this.#cast.customerOf(person);
    if (!customer || !world.isStripeSound) return null;
    const overdue = world.records
      .objects<Stripe.Subscription>("subscription")
      .find((each) => each.customer === customer && each.status === "past_due" && each.pause_collection === null);
    const open = world.records
      .objects<Stripe.Invoice>("invoice")
      .find(
        (invoice) =>
          overdue !== undefined &&
          String(invoice.parent?.subscription_details?.subscription) === overdue.id &&
          invoice.status === "open" &&
          invoice.billing_reason === "subscription_cycle" &&
          invoice.attempt_count > 0,
      );
    return open
      ? { invariant: "a new card pays what is due", details: { who, invoice: open.id, owed: open.amount_remaining } }
      : null;
  }

  /** Each press that made Stripe charge counts: several presses within one sync are one attempt. */
  #retriesAreLimited(who: string): Broken | null {
    const now = this.#world.now();
    const customer = this.#cast.customerOf(this.#cast.meet(who).person);
    const [newest] = this.#world.records
      .objects<Stripe.Charge>("charge")
      .filter((charge) => charge.customer === customer)
      .slice(-1);
    const before = this.#chargedBy.get(who) ?? [];
    if (!newest || newest.created * secondMs < now - minuteMs || before.some(({ charge }) => charge === newest.id))
      return null;
    const lately = [...before.filter(({ at }) => at > now - dayMs), { at: now, charge: newest.id }];
    this.#chargedBy.set(who, lately);
    return lately.length > 5
      ? { invariant: "a payment is tried five times a day at most", details: { who, lately } }
      : null;
  }
}
