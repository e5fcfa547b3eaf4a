import type Stripe from "stripe";
import { dayMs, hourMs, secondMs } from "#app/core/time/time.ts";
import type { Broken } from "../../story.ts";
import { cronDelayMs, type World } from "../world.ts";

/** What the product promises after a failed renewal, once in 180 days. */
const graceMs = 14 * dayMs;
const graceWindowMs = 180 * dayMs;

/** Stripe charges a renewal an hour after its period began. */
const untilChargedMs = 3 * hourMs;

const readEveryMs = 6 * hourMs;

type Seen = { at: number; unpaidMs: number };

/**
 * How long each account has had access that isn't paid for, by what Stripe's invoices say: a period is paid if its invoice is, and wasn't refunded
 * in full. Independent of our rules: it reads only which accounts have access.
 */
export class AccessBook {
  readonly #world: World;
  readonly #unpaid = new Map<string, Seen[]>();
  #lastAt: number | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  async afterCron(): Promise<Broken | null> {
    const now = this.#world.now();
    // Reading all of Stripe's invoices takes as long as the cron run itself.
    if (this.#lastAt !== null && now - this.#lastAt < readEveryMs) return null;
    const sinceMs = this.#lastAt === null ? 0 : now - this.#lastAt;
    this.#lastAt = now;
    const rows = await this.#world.records.query<{ accountId: string; customerId: string; id: string }>(
      `select s.account_id as accountId, c.provider_id as customerId, s.id from subscriptions s
       join customers c on c.account_id = s.account_id where s.state in ('active', 'past-due-grace')`,
    );
    if (rows.length === 0) return null;
    const paidUntil = this.#paidUntil();
    for (const { accountId, id } of rows) {
      const unpaidMs = Math.min(sinceMs, now - (paidUntil.get(id) ?? 0));
      if (now - (paidUntil.get(id) ?? 0) <= untilChargedMs) continue;
      const seen = (this.#unpaid.get(accountId) ?? []).filter(({ at }) => at > now - graceWindowMs);
      seen.push({ at: now, unpaidMs });
      this.#unpaid.set(accountId, seen);
      const totalMs = seen.reduce((sum, each) => sum + each.unpaidMs, 0);
      if (totalMs > graceMs + 3 * (cronDelayMs + readEveryMs))
        return {
          invariant: "access is never longer than what is paid and 14 days of grace in 180",
          details: { accountId, subscription: id, unpaidDays: totalMs / dayMs },
        };
    }
    return null;
  }

  /** By subscription: the end of the last period that was paid for and not refunded in full. */
  #paidUntil(): Map<string, number> {
    const refunded = new Set(
      this.#world.records
        .objects<Stripe.Charge>("charge")
        .filter(({ refunded: isRefunded }) => isRefunded)
        .map(({ payment_intent: intent }) => String(intent)),
    );
    const returned = new Set(
      this.#world.records
        .objects<Stripe.InvoicePayment>("invoice_payment")
        .filter(({ payment }) => refunded.has(String(payment.payment_intent)))
        .map(({ invoice }) => String(invoice)),
    );
    // A bank debit takes days, in which the plan continues.
    const pending = new Set(
      this.#world.records
        .objects<Stripe.PaymentIntent>("payment_intent")
        .filter(({ status }) => status === "processing")
        .map(({ id }) => id),
    );
    const processing = new Set(
      this.#world.records
        .objects<Stripe.InvoicePayment>("invoice_payment")
        .filter(({ payment }) => pending.has(String(payment.payment_intent)))
        .map(({ invoice }) => String(invoice)),
    );
    const until = new Map<string, number>();
    for (const invoice of this.#world.records.objects<Stripe.Invoice>("invoice")) {
      const subscription = invoice.parent?.subscription_details?.subscription;
      if (!subscription || returned.has(invoice.id ?? "")) continue;
      if (invoice.status !== "paid" && !processing.has(invoice.id ?? "")) continue;
      const id = String(subscription);
      const end = Math.max(...invoice.lines.data.map(({ period }) => period.end)) * secondMs;
      until.set(id, Math.max(until.get(id) ?? 0, end));
    }
    return until;
  }
}
