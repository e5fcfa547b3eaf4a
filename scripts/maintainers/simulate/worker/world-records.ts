import type Stripe from "stripe";
import { hashToken } from "#app/core/hash.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import type { SeededScheduler } from "./seeded-scheduler.ts";

type PaidOrder = Pick<Order, "id" | "numberYear" | "numberInYear" | "invoiceId" | "amountMinor">;

/** Tables beside the site's own. */
export const notOfTheSite = "'d1_migrations', 'objects', 'notes', 'timers', 'deliveries', 'attempts', 'saved_answers'";

/** What is stored: the site's rows, and Stripe's objects. */
export class WorldRecords {
  readonly #db: D1Database;
  readonly #storage: DurableObjectStorage;
  readonly #scheduler: SeededScheduler;

  constructor(db: D1Database, storage: DurableObjectStorage, scheduler: SeededScheduler) {
    this.#db = db;
    this.#storage = storage;
    this.#scheduler = scheduler;
  }

  /** All rows of a query, at its turn among the calls. */
  query<Row>(sql: string, ...values: (string | number | null)[]): Promise<Row[]> {
    return this.#scheduler.call(
      async () =>
        (
          await this.#db
            .prepare(sql)
            .bind(...values)
            .all<Row>()
        ).results,
    );
  }

  async isSessionEnded(sessionToken: string): Promise<boolean> {
    const [row] = await this.query<{ state: string }>(
      "select state from sessions where token_hash = ?",
      await hashToken(sessionToken),
    );
    return row?.state !== "active";
  }

  /** Objects at Stripe, oldest first. */
  objects<Shape>(kind: string): Shape[] {
    return this.#storage.sql
      .exec<{ body: string }>("select body from objects where kind = ? order by seq", kind)
      .toArray()
      .map(({ body }) => JSON.parse(body) as Shape);
  }

  /**
   * Stripe's customer of an account, without deleted ones. It's the newest, since a Worker that dies before it has stored a customer leaves
   * that one without an owner if its account buys again a day later.
   */
  customerOf(accountId: string): string | null {
    const customers = this.objects<Stripe.Customer>("customer");
    return customers.findLast(({ metadata }) => Object.values(metadata ?? {}).includes(accountId))?.id ?? null;
  }

  async paidOrder(accountId: string, which: "newest" | "oldest"): Promise<PaidOrder | undefined> {
    const order = which === "newest" ? "desc" : "asc";
    const [row] = await this.query<PaidOrder>(
      `select id, number_year as numberYear, number_in_year as numberInYear, invoice_id as invoiceId, amount_minor as amountMinor
       from orders where account_id = ? and number_year is not null and amount_minor > 0 order by paid_at ${order}, id limit 1`,
      accountId,
    );
    return row;
  }

  /** The account that has this address and paid the order of this number. Null if there is none. */
  async ownerOfOrder(number: string, address: string): Promise<string | null> {
    const [row] = await this.query<{ id: string }>(
      `select a.id from orders o join accounts a on a.id = o.account_id
       where printf('%d-%06d', o.number_year, o.number_in_year) = ? and lower(a.email) = lower(?) and a.state <> 'erased'`,
      number,
      address,
    );
    return row?.id ?? null;
  }

  /** The answers of several queries in one call, by their names. */
  async queries(named: Record<string, string>): Promise<Record<string, Record<string, unknown>[]>> {
    const names = Object.keys(named);
    const answers = await this.#scheduler.call(() =>
      this.#db.batch<Record<string, unknown>>(Object.values(named).map((sql) => this.#db.prepare(sql))),
    );
    return Object.fromEntries(names.map((name, index) => [name, answers[index]?.results ?? []]));
  }

  async allRows(): Promise<[table: string, rows: Record<string, unknown>[]][]> {
    const tables = await this.query<{ name: string }>(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%' and name not in (${notOfTheSite}) order by name`,
    );
    return Object.entries(
      await this.queries(
        Object.fromEntries(tables.map(({ name }) => [name, `select * from "${name}" order by rowid`])),
      ),
    );
  }

  /** A hash of everything that is stored, and of `others`. */
  async hashWith(others: unknown): Promise<string> {
    const objects = this.#storage.sql
      .exec<{ id: string; body: string }>("select id, body from objects order by seq")
      .toArray();
    const all = JSON.stringify([await this.allRows(), objects, others]);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(all));
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
}
