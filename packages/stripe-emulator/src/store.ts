import type Stripe from "stripe";
import type { Sql, SqlValue } from "./sql.ts";

/** What a checkout page stores beyond the session itself. Ours, never returned by the API. */
export interface CheckoutProgress {
  id: string;
  customer: string;
  /** The payment intent of all attempts in this session: Stripe creates one and reuses it. */
  payment_intent: string | null;
  /** The card that is waiting for 3-D Secure confirmation. */
  card_awaiting_action: string | null;
  /** How the pending bank debit will end when its time comes. */
  bank_debit_end: "succeeds" | "fails" | null;
  /** From `customer_update`: whether the name and the address typed here are saved to the customer. */
  saves_name: boolean;
  saves_address: boolean;
  /** From `subscription_data`: stored until the subscription exists. */
  subscription_metadata: Record<string, string>;
  subscription_description: string | null;
}

/** A card in the portal that is waiting for 3-D Secure confirmation. Ours, never returned by the API. */
interface PortalProgress {
  id: string;
  card_awaiting_action: string;
  is_default: boolean;
}

/** What a subscription becomes when the invoice of its pending update is paid. Ours, never returned by the API. */
interface PendingChange {
  id: string;
  invoice: string;
  changes: Partial<Stripe.Subscription>;
}

export interface Kinds {
  balance_transaction: Stripe.BalanceTransaction;
  billing_portal_configuration: Stripe.BillingPortal.Configuration;
  billing_portal_session: Stripe.BillingPortal.Session;
  charge: Stripe.Charge;
  checkout_progress: CheckoutProgress;
  checkout_session: Stripe.Checkout.Session;
  coupon: Stripe.Coupon;
  credit_note: Stripe.CreditNote;
  customer: Stripe.Customer;
  customer_balance_transaction: Stripe.CustomerBalanceTransaction;
  /** Replaces a deleted customer, under its id. */
  deleted_customer: Stripe.DeletedCustomer;
  discount: Stripe.Discount;
  dispute: Stripe.Dispute;
  early_fraud_warning: Stripe.Radar.EarlyFraudWarning;
  event: Stripe.Event;
  invoice: Stripe.Invoice;
  invoice_item: Stripe.InvoiceItem;
  invoice_payment: Stripe.InvoicePayment;
  line_items: { id: string; data: Stripe.LineItem[] };
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  pending_change: PendingChange;
  portal_progress: PortalProgress;
  price: Stripe.Price;
  product: Stripe.Product;
  promotion_code: Stripe.PromotionCode;
  refund: Stripe.Refund;
  subscription: Stripe.Subscription;
  subscription_schedule: Stripe.SubscriptionSchedule;
  tax_id: Stripe.TaxId;
  test_clock: Stripe.TestHelpers.TestClock;
  webhook_endpoint: Stripe.WebhookEndpoint;
}
export type Kind = keyof Kinds;

const ROWS_PER_READ = 100;

interface Row {
  [column: string]: SqlValue;
  id: string;
  kind: string;
  body: string;
}

/** All objects of the account, one row each, newest last. A row's body is the object exactly as the API returns it. */
export class Store {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS objects (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, customer TEXT, body TEXT NOT NULL
    ) STRICT`);
    sql.exec("CREATE INDEX IF NOT EXISTS objects_of_a_kind ON objects (kind, seq)");
    sql.exec("CREATE INDEX IF NOT EXISTS objects_of_a_customer ON objects (customer, kind, seq)");
    sql.exec("CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT");
  }

  isEmpty(): boolean {
    return this.#sql.exec("SELECT 1 FROM objects LIMIT 1").toArray().length === 0;
  }

  find<K extends Kind>(kind: K, id: string): Kinds[K] | null {
    const [row] = this.#sql.exec<Row>("SELECT id, kind, body FROM objects WHERE id = ? AND kind = ?", id, kind);
    return row === undefined ? null : parse<K>(row.body);
  }

  /** Any object by its id alone: needed by `expand`. */
  findAny(id: string): object | null {
    const [row] = this.#sql.exec<Row>("SELECT id, kind, body FROM objects WHERE id = ?", id);
    return row === undefined ? null : parse(row.body);
  }

  put<K extends Kind>(kind: K, object: Kinds[K], customer: string | null = null): Kinds[K] {
    this.#sql.exec(
      `INSERT INTO objects (id, kind, customer, body) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET body = excluded.body, customer = coalesce(excluded.customer, customer)`,
      object.id,
      kind,
      customer,
      JSON.stringify(object),
    );
    return object;
  }

  /** Removes an object. Another kind may reuse its id. */
  remove(id: string): void {
    this.#sql.exec("DELETE FROM objects WHERE id = ?", id);
  }

  /**
   * Newest first, one page of rows at a time: a list of ten doesn't read a year of history, and no cursor is open while
   * the caller writes.
   */
  *newestFirst<K extends Kind>(kind: K, customer?: string): Iterable<Kinds[K]> {
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const rows = this.#page(kind, customer, before);
      for (const row of rows) yield parse<K>(row.body);
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS_PER_READ) return;
      before = last.seq;
    }
  }

  #page(kind: Kind, customer: string | undefined, before: number): (Row & { seq: number })[] {
    const [whose, values] = customer === undefined ? ["", []] : ["customer = ? AND ", [customer]];
    const question = `SELECT seq, id, kind, body FROM objects WHERE ${whose}kind = ? AND seq < ? ORDER BY seq DESC LIMIT ?`;
    return this.#sql.exec<Row & { seq: number }>(question, ...values, kind, before, ROWS_PER_READ).toArray();
  }

  note(name: string): string | null {
    const [row] = this.#sql.exec<{ value: string }>("SELECT value FROM notes WHERE name = ?", name);
    return row?.value ?? null;
  }

  writeNote(name: string, value: string): void {
    this.#sql.exec(
      "INSERT INTO notes (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      name,
      value,
    );
  }
}

/** The boundary between rows and types: only `put` writes bodies, and it accepts the type that is read back here. */
function parse<K extends Kind>(body: string): Kinds[K] {
  return JSON.parse(body);
}
