import type Stripe from "stripe";
import { dayMs, minuteMs, secondMs } from "#app/core/time/time.ts";
import type { Broken, Deed } from "../../story.ts";
import type { Cast } from "../people/cast.ts";
import type { World } from "../world.ts";
import { findDebt } from "./find-debt.ts";

/** What the plan's page promises. */
const retriesPerDay = 5;

/** How a deed ends whose request led to an error page, since the database failed. */
export const databaseFailed = "the database failed";

/** Why a payment that is due may be refused, beside the limit: there is no session, or another payment of it is under way. */
const maySay = /^(not signed in|redirected|thrown|the database failed$|payment-in-process$|payment-unconfirmed$)/;

/** What a deed promises at once: that it succeeded, or that it couldn't. */
export class Promises {
  readonly #world: World;
  readonly #cast: Cast;
  readonly #chargedBy = new Map<string, { at: number; charge: string }[]>();

  constructor(world: World, cast: Cast) {
    this.#world = world;
    this.#cast = cast;
  }

  async after(who: string, deed: Deed): Promise<Broken | null> {
    if (deed.do === "declares a cancellation") return this.#declaredPlanEnds(who);
    if (deed.do === "changes card" && deed.with === "own card") return this.#newCardPays(who);
    return deed.do === "pays what is due" ? this.#retriesAreLimited(who) : null;
  }

  /** A cancellation can be undone until the period ends, and a debt can be paid by the site's own button, five times a day. */
  async refused(who: string, deed: Deed, why: string): Promise<Broken | null> {
    if (deed.do === "resumes") return this.#canBeUndone(who, why);
    if (deed.do !== "pays what is due" || maySay.test(why) || !this.#world.isUndisturbed) return null;
    const { accountId } = this.#cast.meet(who).person;
    const debt = accountId && (await findDebt(this.#world, accountId));
    const presses = accountId ? this.#presses(accountId) : 0;
    if (!debt || (why === "too-many-retries" && presses > retriesPerDay)) return null;
    return { invariant: "an open debt can be paid", details: { who, why, presses, ...debt } };
  }

  async #canBeUndone(who: string, why: string): Promise<Broken | null> {
    const { accountId } = this.#cast.meet(who).person;
    if (accountId === null || maySay.test(why) || why.startsWith("provider") || !this.#world.isUndisturbed) return null;
    const [plan] = await this.#world.records.query(
      `select s.id, s.cancels_at from subscriptions s join accounts a on a.id = s.account_id
       where a.id = ? and a.state = 'active' and s.state = 'active' and s.cancels_at > ?`,
      accountId,
      this.#world.now(),
    );
    return plan
      ? { invariant: "a cancellation can be undone until the period ends", details: { who, why, plan } }
      : null;
  }

  /** Once the site says that it has carried out a declaration, no plan of its account renews, unless its owner does something else at the same time. */
  async #declaredPlanEnds(who: string): Promise<Broken | null> {
    const { records, cancellations } = this.#world;
    const declared = cancellations.declared.findLast((each) => each.who === who);
    if (!declared || this.#cast.deeds.filter(({ at }) => at >= declared.at).length > 1) return null;
    const [renewing] = await records.query<{ id: string }>(
      `select s.id from subscriptions s join cancellations c on c.account_id = s.account_id
       where c.id = ? and c.state = 'done' and s.state in ('active', 'past-due-grace', 'past-due-locked')`,
      declared.id,
    );
    const atStripe = records.objects<Stripe.Subscription>("subscription").find(({ id }) => id === renewing?.id);
    return atStripe && atStripe.status !== "canceled" && atStripe.cancel_at === null
      ? { invariant: "a plan ends once its cancellation was carried out", details: { ...declared, plan: atStripe.id } }
      : null;
  }

  /** How often the owners of an account pressed the button within a day, including this time, whatever came of it. */
  #presses(accountId: string): number {
    const owners = this.#cast.people.filter(({ accountIds }) => accountIds.has(accountId)).map(({ name }) => name);
    const since = this.#world.now() - dayMs;
    return this.#cast.deeds.filter(
      ({ at, who, deed }) => at > since && deed.do === "pays what is due" && owners.includes(who),
    ).length;
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
    return lately.length > retriesPerDay
      ? { invariant: "a payment is tried five times a day at most", details: { who, lately } }
      : null;
  }
}
