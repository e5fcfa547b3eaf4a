import { priceOf } from "#app/modules/catalogue/rules.ts";
import { dayMs } from "#app/core/time/time.ts";
import type { NewPrices, Told, ToldChange, ToldEmail, ToldOrder, ToldSubscription } from "../story.ts";
import type { Cast } from "./people/cast.ts";
import type { World } from "./world.ts";

/** How long after new prices is told what they changed: every monthly plan renews once. */
const changeDays = 32;

type Owned<Row> = Row & { accountId: string };

/** What happened to the people of a story, for a rehearsal. */
export class Chronicle {
  readonly #world: World;
  readonly #cast: Cast;
  /** Templates by the ids of emails, whose rows are deleted some time after they were sent. */
  readonly #templates = new Map<string, string>();

  constructor(world: World, cast: Cast) {
    this.#world = world;
    this.#cast = cast;
  }

  async noteEmails(): Promise<void> {
    const rows = await this.#world.records.query<{ id: string; template: string }>("select id, template from emails");
    for (const { id, template } of rows) this.#templates.set(id, template);
  }

  /** Of the story as it is now. New prices come into force, and a month passes with them. */
  async tell(prices: NewPrices | null): Promise<Told> {
    const told = await this.#tellSoFar();
    if (prices === null) return { ...told, change: null };
    const before = await this.#running();
    const changedAt = this.#world.now();
    await this.#world.changePrices(prices);
    await this.#world.passTo(changedAt + changeDays * dayMs);
    await this.noteEmails();
    const later = await this.#tellSoFar();
    const after = await this.#running();
    const change = [...before].flatMap(([who, running]): ToldChange[] => {
      const plan = this.#world.product.plans.find(({ id }) => id === running.planId);
      const now = after.get(who);
      return [
        {
          who,
          planId: running.planId,
          interval: running.interval,
          beforeMinor: running.amountMinor,
          afterMinor: now?.amountMinor ?? 0,
          newMinor: (plan && priceOf(this.#world.product, plan, running.interval)?.amountMinor) ?? 0,
          chargedMinor: later.orders
            .filter((order) => order.who === who && (order.paidAt ?? 0) > changedAt)
            .reduce((sum, { amountMinor }) => sum + amountMinor, 0),
          nextChargeAt: now && now.cancelsAt === null ? now.periodEndsAt : null,
          emails: later.emails
            .filter((email) => email.who === who && email.at > changedAt)
            .map(({ subject }) => subject),
        },
      ];
    });
    return { ...told, change };
  }

  async #tellSoFar(): Promise<Omit<Told, "change">> {
    const [accounts, subscriptions, orders] = await Promise.all([
      this.#world.records.query<{ id: string; createdAt: number }>("select id, created_at as createdAt from accounts"),
      this.#subscriptions(),
      this.#world.records.query<Owned<ToldOrder>>(
        `select account_id as accountId, kind, state, plan_id as planId, interval, amount_minor as amountMinor,
           refunded_minor as refundedMinor, created_at as createdAt, paid_at as paidAt from orders order by created_at, id`,
      ),
    ]);
    const people = this.#cast.people.map(({ name: who, accountIds }) => {
      const own = accounts.filter(({ id }) => accountIds.has(id));
      return {
        who,
        joinedAt: own.reduce<number | null>((at, { createdAt }) => Math.min(at ?? createdAt, createdAt), null),
        subscriptions: subscriptions.filter(({ accountId }) => accountIds.has(accountId)),
      };
    });
    const ownerOf = (accountId: string) => this.#cast.people.find(({ accountIds }) => accountIds.has(accountId))?.name;
    return {
      people,
      orders: orders.map(({ accountId, ...order }) => ({ ...order, who: ownerOf(accountId) ?? "" })),
      emails: this.#world.emails.map(({ id, to, subject, text, at }): ToldEmail => ({
        who: this.#cast.people.find(({ typed }) => typed.has(to))?.name ?? "",
        template: this.#templates.get(id) ?? "",
        subject,
        text,
        at,
      })),
    };
  }

  #subscriptions(): Promise<Owned<ToldSubscription>[]> {
    return this.#world.records.query(
      `select account_id as accountId, state, plan_id as planId, interval, amount_minor as amountMinor, period_ends_at as periodEndsAt,
         cancels_at as cancelsAt from subscriptions order by started_at, id`,
    );
  }

  /** The plan that each person pays for. */
  async #running(): Promise<Map<string, ToldSubscription>> {
    const running = (await this.#subscriptions()).filter(({ state }) => state !== "ended" && state !== "incomplete");
    return new Map(
      this.#cast.people.flatMap(({ name, accountIds }) => {
        const own = running.findLast(({ accountId }) => accountIds.has(accountId));
        return own ? [[name, own] as const] : [];
      }),
    );
  }
}
