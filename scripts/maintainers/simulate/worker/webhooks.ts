import type { Stripe } from "stripe";
import { done } from "#app/core/result.ts";
import { hourMs, minuteMs } from "#app/core/time/time.ts";
import { acceptEvent } from "#app/modules/billing/sync/commands/handle-events.server.ts";
import { handleEventsAndFollowUp } from "#app/workflows/after-payment.ts";
import { signPayload } from "stripe-emulator/facts";
import { WEBHOOK_EVENTS } from "../../../stripe/webhook.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { isDatabaseFailure } from "./database-failure.ts";
import { webhookSecret, type WorldApp } from "./make-app.ts";
import type { Fate } from "./process.ts";
import type { WorldFaults } from "./world-faults.ts";

type Site = {
  readonly random: SeededRandom;
  readonly faults: WorldFaults;
  now: () => number;
  run: <Value>(work: (app: WorldApp) => Promise<Value>, fate: Fate) => Promise<Value | "died">;
};
type Delivery = { at: number; event: Stripe.Event; tries: number };

const wantedEvents = new Set<string>(WEBHOOK_EVENTS);
const webhookRetryMs = hourMs;

/** Stripe's events on their way to the site. */
export class Webhooks {
  readonly #site: Site;
  readonly #storage: DurableObjectStorage;
  #deliveries: Delivery[] = [];
  #seenEvents = 0;

  constructor(site: Site, storage: DurableObjectStorage) {
    this.#site = site;
    this.#storage = storage;
  }

  get waiting(): number {
    return this.#deliveries.length;
  }

  get nextAt(): number {
    return Math.min(...this.#deliveries.map((delivery) => delivery.at));
  }

  /** Events until now are never delivered. */
  skip(): void {
    this.#seenEvents = this.#newestEvent();
  }

  #newestEvent(): number {
    const [row] = this.#storage.sql.exec<{ seq: number }>(
      "select coalesce(max(seq), 0) as seq from objects where kind = 'event'",
    );
    return row?.seq ?? 0;
  }

  /** Plans how the events since the last time arrive, in the way that webhooks arrive now. */
  collect(): void {
    const rows = this.#storage.sql
      .exec<{ seq: number; body: string }>(
        "select seq, body from objects where kind = 'event' and seq > ? order by seq",
        this.#seenEvents,
      )
      .toArray();
    if (rows.length === 0) return;
    this.#seenEvents = rows.at(-1)?.seq ?? this.#seenEvents;
    const now = this.#site.now();
    for (const [index, { body }] of rows.entries()) {
      const event = JSON.parse(body) as Stripe.Event;
      if (!wantedEvents.has(event.type)) continue;
      const plan = (at: number) => this.#deliveries.push({ at, event, tries: 0 });
      switch (this.#site.faults.webhooks) {
        case "promptly":
          plan(now);
          break;
        case "twice":
          plan(now);
          // Often at the same time.
          plan(now + Math.max(0, this.#site.random.below(900) - 300) * minuteMs);
          break;
        case "late":
          plan(now + (1 + this.#site.random.below(3 * 24 * 60)) * minuteMs);
          break;
        case "in reverse":
          plan(now + (rows.length - index) * minuteMs);
          break;
        case "never":
      }
    }
  }

  /** Delivers all that are due together, in a seeded order of their calls. */
  async deliverDue(): Promise<void> {
    const due = this.#deliveries.filter(({ at }) => at <= this.#site.now()).slice(0, 16);
    this.#deliveries = this.#deliveries.filter((delivery) => !due.includes(delivery));
    const accepted = new Set<Delivery>();
    let allAccepted: () => void = () => undefined;
    const burst = new Promise<void>((resolve) => {
      allAccepted = resolve;
    });
    const accept = (delivery: Delivery) => {
      accepted.add(delivery);
      if (accepted.size === due.length) allAccepted();
    };
    await Promise.all(due.map((each) => this.#deliver(each, { burst, accept: () => accept(each) })));
  }

  async #deliver(delivery: Delivery, { burst, accept }: { burst: Promise<void>; accept: () => void }): Promise<void> {
    const payload = JSON.stringify(delivery.event);
    const signature = await signPayload(payload, [webhookSecret], Math.floor(this.#site.now() / 1000));
    const work = async (app: WorldApp) => {
      const hearing = { ...app, pause: () => burst };
      try {
        const noted = await acceptEvent(hearing, payload, signature);
        accept();
        if (!noted.ok) return noted;
        return noted.value === null ? done(null) : await handleEventsAndFollowUp(hearing, noted.value);
      } catch (error) {
        accept();
        throw error;
      }
    };
    const outcome = await this.#site.run(work, { dies: this.#site.faults.takeDeath("webhook") }).catch(failed);
    if (outcome === "died") accept();
    // Stripe sends it again after any answer but 2xx.
    if ((outcome === "died" || outcome === "failed" || !outcome.ok) && delivery.tries < 3)
      this.#deliveries.push({ ...delivery, at: this.#site.now() + webhookRetryMs, tries: delivery.tries + 1 });
  }
}

/** A database failure makes the answer an error page. */
function failed(error: unknown): "failed" {
  if (isDatabaseFailure(error)) return "failed";
  throw error;
}
