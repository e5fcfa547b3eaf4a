import type Stripe from "stripe";
import { hourMs, secondMs } from "#app/core/time/time.ts";
import type { WorldRecords } from "./world-records.ts";

/** `knownAt` is when the site has asked Stripe about the customer since. Null until it has. */
type Entry = { accountId: string; at: number; knownAt: number | null };
type Hold = Entry & { subscription: string; until: number | null };
type WriteOff = Entry & { invoice: string };

/** Stripe finalizes a renewal's draft after an hour, and checks then whether its plan is on hold. */
const draftMs = 2 * hourMs;

/** What the team did in Stripe's dashboard about the charges of customers. */
export class DashboardBook {
  readonly #records: WorldRecords;
  readonly #now: () => number;
  readonly #holds: Hold[] = [];
  readonly writeOffs: WriteOff[] = [];

  constructor(records: WorldRecords, now: () => number) {
    this.#records = records;
    this.#now = now;
  }

  hold(accountId: string, subscription: string): void {
    this.#holds.push({ accountId, subscription, at: this.#now(), knownAt: null, until: null });
  }

  lift(subscription: string): void {
    const hold = this.#holds.find((each) => each.subscription === subscription && each.until === null);
    if (hold) hold.until = this.#now();
  }

  writeOff(accountId: string, invoice: string): void {
    this.writeOffs.push({ accountId, invoice, at: this.#now(), knownAt: null });
  }

  /** Call after each step and cron run. */
  async noteKnown(): Promise<void> {
    const unknown = [...this.#holds, ...this.writeOffs].filter(({ knownAt }) => knownAt === null);
    if (unknown.length === 0) return;
    const rows = await this.#records.query<{ accountId: string; syncedAt: number }>(
      "select account_id as accountId, synced_at as syncedAt from customers",
    );
    const synced = new Map(rows.map(({ accountId, syncedAt }) => [accountId, syncedAt]));
    for (const entry of unknown) if ((synced.get(entry.accountId) ?? 0) > entry.at) entry.knownAt = this.#now();
  }

  /** The hold that the site knew of at this time. */
  knownHold(subscription: string, at = this.#now()): Hold | undefined {
    return this.#holds.find(
      (hold) =>
        hold.subscription === subscription &&
        hold.knownAt !== null &&
        hold.knownAt < at &&
        (hold.until === null || hold.until > at),
    );
  }

  /** Whether the team asks nothing for what the invoice is for: it was written off, or its plan was on hold. */
  isGiven({ id, status, created, parent }: Stripe.Invoice): boolean {
    if (this.writeOffs.some(({ invoice }) => invoice === id)) return true;
    const subscription = String(parent?.subscription_details?.subscription);
    const createdAt = created * secondMs;
    return (
      ["draft", "uncollectible", "void"].includes(status ?? "") &&
      this.#holds.some(
        (hold) =>
          hold.subscription === subscription &&
          hold.at < createdAt + draftMs &&
          (hold.until === null || hold.until > createdAt),
      )
    );
  }
}
