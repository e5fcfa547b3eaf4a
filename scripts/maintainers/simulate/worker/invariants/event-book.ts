import type Stripe from "stripe";
import { hourMs, secondMs } from "#app/core/time/time.ts";
import { WEBHOOK_EVENTS } from "../../../../stripe/webhook.ts";
import type { Broken } from "../../story.ts";
import type { World } from "../world.ts";

const wantedEvents = new Set<string>(WEBHOOK_EVENTS);
/** The cron job reads Stripe's list of events page by page, and has found a lost one after this many whole runs. */
const runsMax = 12;

type Waiting = { id: string; type: string; runs: number };

/** Checks that the cron job fetches an event whose webhook is lost. Reads once a simulated day. */
export class EventBook {
  readonly #world: World;
  #seenUntil = 0;
  #runs = 0;
  #waiting: Waiting[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** Call after a run of the cron job that nothing interrupted. */
  noteWholeRun(): void {
    this.#runs += 1;
  }

  async findViolation(): Promise<Broken | null> {
    const { records } = this.#world;
    const runs = this.#runs;
    this.#runs = 0;
    const known = await records.query<{ id: string }>(
      "select id from webhook_events where id in (select value from json_each(?))",
      JSON.stringify(this.#waiting.map(({ id }) => id)),
    );
    const arrived = new Set(known.map(({ id }) => id));
    this.#waiting = this.#waiting
      .filter(({ id }) => !arrived.has(id))
      .map((event) => ({ ...event, runs: event.runs + runs }));
    const lost = this.#waiting.find((event) => event.runs > runsMax);
    if (lost) return { invariant: "an event whose webhook is lost is fetched", details: lost };
    await this.#readNew();
    return null;
  }

  async #readNew(): Promise<void> {
    const { records } = this.#world;
    const since = this.#seenUntil;
    this.#seenUntil = this.#world.now() - hourMs;
    const rows = await records.query<{ id: string }>("select provider_id as id from customers");
    const customers = new Set(rows.map(({ id }) => id));
    const isOurs = ({ type, created, data }: Stripe.Event) => {
      const { customer = null } = data.object as { customer?: string | null };
      const at = created * secondMs;
      return wantedEvents.has(type) && at > since && at <= this.#seenUntil && customers.has(customer ?? "");
    };
    for (const event of records.objects<Stripe.Event>("event").filter(isOurs))
      this.#waiting.push({ id: event.id, type: event.type, runs: 0 });
  }
}
