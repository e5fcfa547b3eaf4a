import type Stripe from "stripe";
import { dayMs } from "#app/core/time/time.ts";
import type { Broken, Deed } from "../story.ts";
import type { Cast } from "./play-step.ts";
import type { World } from "./world.ts";

/** What a deed that succeeded promises at once. */
export class Promises {
  readonly #world: World;
  readonly #cast: Cast;
  readonly #paidDueAt = new Map<string, number[]>();

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
    const overdue = world
      .objects<Stripe.Subscription>("subscription")
      .find((each) => each.customer === customer && each.status === "past_due" && each.pause_collection === null);
    const open = world
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

  #retriesAreLimited(who: string): Broken | null {
    const now = this.#world.now();
    const times = [...(this.#paidDueAt.get(who) ?? []).filter((at) => at > now - dayMs), now];
    this.#paidDueAt.set(who, times);
    return times.length > 5
      ? { invariant: "a payment is tried five times a day at most", details: { who, times } }
      : null;
  }
}
