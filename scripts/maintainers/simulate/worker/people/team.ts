import { Stripe } from "stripe";
import { noReferral, noWithdrawal, readId } from "#app/core/id.ts";
import { amountStep, roundAmount } from "#app/core/money/round-amount.ts";
import { decideReferral } from "#app/modules/referrals/commands/decide-referral.server.ts";
import { contestWithdrawal } from "#app/modules/billing/withdrawals/commands/contest-withdrawal.server.ts";
import { unansweredWithdrawals } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import type { WorldApp } from "../make-app.ts";
import { must } from "../must.ts";
import type { Person } from "./person.ts";
import type { HeldInvoices } from "../../story.ts";
import { Refused } from "../refused.ts";
import type { World } from "../world.ts";

/** What operators and banks do about a person. */
export class Team {
  readonly #world: World;
  readonly #customerOf: (person: Person) => string | null;

  constructor(world: World, customerOf: (person: Person) => string | null) {
    this.#world = world;
    this.#customerOf = customerOf;
  }

  /** Refunds in Stripe's dashboard. */
  async refunds(person: Person, { order, share }: { order: "newest" | "oldest"; share: number }): Promise<void> {
    const paid = person.accountId && (await this.#world.records.paidOrder(person.accountId, order));
    if (!paid?.invoiceId) throw new Refused("no order");
    const { currency } = this.#world.product;
    const amountMinor =
      share < 1 ? Math.max(amountStep(currency), roundAmount(paid.amountMinor * share, currency)) : null;
    await this.#world.line.control("refund", { order: paid.invoiceId, ...(amountMinor !== null && { amountMinor }) });
  }

  async contests(app: WorldApp, { accountId }: Person): Promise<void> {
    const [found] = await this.#world.records.query<{ id: string }>(
      `select w.id from withdrawals w join orders o on o.id = w.order_id where o.account_id = ?
       and w.state in (${unansweredWithdrawals.map((state) => `'${state}'`).join(", ")}) order by w.declared_at limit 1`,
      accountId,
    );
    must(await contestWithdrawal(app, readId("wdr", found?.id) ?? noWithdrawal, "It was declared too late."));
  }

  async decides(app: WorldApp, { accountId }: Person, verdict: "approve" | "void"): Promise<void> {
    const [found] = await this.#world.records.query<{ id: string }>(
      `select r.id from referrals r left join friend_discounts d on d.referral_id = r.id
       where (r.friend_id = ?1 or r.referrer_id = ?1) and (r.state = 'under-review' or d.state = 'under-review') order by r.id limit 1`,
      accountId,
    );
    must(await decideReferral(app, readId("ref", found?.id) ?? noReferral, { verdict, reason: "Decided by hand." }));
  }

  /** Puts charges on hold in Stripe's dashboard. */
  async holds(person: Person, behavior: HeldInvoices): Promise<void> {
    const plan = this.#planOf(person);
    if (plan.pause_collection) throw new Refused("on hold already");
    await this.#inDashboard(({ subscriptions }) => subscriptions.update(plan.id, { pause_collection: { behavior } }));
    this.#world.dashboard.hold(person.accountId ?? "", plan.id);
  }

  async lifts(person: Person): Promise<void> {
    const plan = this.#planOf(person);
    if (!plan.pause_collection) throw new Refused("not on hold");
    await this.#inDashboard(({ subscriptions }) => subscriptions.update(plan.id, { pause_collection: "" }));
    this.#world.dashboard.lift(plan.id);
  }

  /** Writes off the oldest renewal that is due, unless a bank is about to pay it. */
  async writesOff(person: Person, as: "uncollectible" | "void"): Promise<void> {
    const customer = this.#customerOf(person);
    const { records } = this.#world;
    const debt = records
      .objects<Stripe.Invoice>("invoice")
      .find(
        (each) => each.customer === customer && each.status === "open" && each.billing_reason === "subscription_cycle",
      );
    const payment = records.objects<Stripe.InvoicePayment>("invoice_payment").find((each) => each.invoice === debt?.id);
    const intent = records
      .objects<Stripe.PaymentIntent>("payment_intent")
      .find(({ id }) => id === String(payment?.payment.payment_intent));
    const id = debt?.id;
    if (!id || intent?.status === "processing") throw new Refused("no debt");
    await this.#inDashboard(({ invoices }) =>
      as === "void" ? invoices.voidInvoice(id) : invoices.markUncollectible(id),
    );
    this.#world.dashboard.writeOff(person.accountId ?? "", id);
  }

  #planOf(person: Person): Stripe.Subscription {
    const customer = this.#customerOf(person);
    const plan = this.#world.records
      .objects<Stripe.Subscription>("subscription")
      .find((each) => each.customer === customer && ["active", "past_due", "unpaid"].includes(each.status));
    if (!customer || !plan) throw new Refused("no plan");
    return plan;
  }

  /** Makes the calls that the dashboard makes, at their turn among the site's. */
  async #inDashboard(call: (stripe: Stripe) => Promise<unknown>): Promise<void> {
    try {
      await this.#world.scheduler.call(() => call(this.#world.stripe));
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError) throw new Refused(`Stripe: ${error.message}`);
      throw error;
    }
  }

  /** The bank of the card reports the payment as fraud, which it may be wrong about. */
  async warns(person: Person, order: "newest" | "oldest"): Promise<void> {
    const paid = person.accountId && (await this.#world.records.paidOrder(person.accountId, order));
    if (!paid?.invoiceId) throw new Refused("no order");
    await this.#world.line.control("warning", { order: paid.invoiceId });
  }

  async disputes(person: Person, which: "newest" | "oldest" | null, outcome: "won" | "lost" | null): Promise<void> {
    if (which === null) {
      const open = this.#world.records.objects<Stripe.Dispute>("dispute").find(({ status, charge }) => {
        const owner = this.#world.records.objects<Stripe.Charge>("charge").find(({ id }) => id === charge);
        return status === "needs_response" && owner !== undefined && this.#customerOf(person) === owner.customer;
      });
      if (!open) throw new Refused("no dispute");
      await this.#world.line.control("dispute", { order: String(open.charge), outcome });
      return;
    }
    const paid = person.accountId && (await this.#world.records.paidOrder(person.accountId, which));
    if (!paid?.invoiceId) throw new Refused("no order");
    await this.#world.line.control("dispute", { order: paid.invoiceId });
  }
}
