import { noWithdrawal } from "#app/core/id.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { roundAmount } from "#app/core/money/round-amount.ts";
import { dayMs } from "#app/core/time/time.ts";
import { carryOutCancellation } from "#app/modules/billing/cancellations/commands/carry-out-cancellation.server.ts";
import { declareCancellation } from "#app/modules/billing/cancellations/commands/declare-cancellation.server.ts";
import { contestWithdrawal } from "#app/modules/billing/withdrawals/commands/contest-withdrawal.server.ts";
import { declareWithdrawal } from "#app/modules/billing/withdrawals/commands/declare-withdrawal.server.ts";
import { ensureCustomer } from "#app/modules/billing/checkout/commands/ensure-customer.server.ts";
import { runSubscriptionAction } from "#app/modules/billing/changes/commands/run-subscription-action.server.ts";
import { orderNumber, type Order } from "#app/modules/billing/orders/rules.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { beginCheckout } from "#app/workflows/begin-checkout.server.ts";
import { unansweredWithdrawals } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { listWithdrawals } from "#app/modules/billing/withdrawals/everyone.queries.server.ts";
import { findNewestOrder, readOrder } from "#app/modules/billing/orders/queries.server.ts";
import { openPortal } from "#app/modules/billing/subscriptions/commands/change-cancellation.server.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { findPlan, intervalFor, priceKey } from "#app/modules/catalogue/rules.ts";
import { findBuyer } from "#app/workflows/find-buyer.server.ts";
import { offerPlan } from "#app/workflows/offer-plan.server.ts";
import { parsed } from "./address.ts";
import { must, type DemoSite } from "./demo-site.ts";

/** Stripe's own test cards: https://docs.stripe.com/testing */
export const cards = {
  ofBen: "5200828282828210",
  ofSelma: "4000056655665556",
  good: "4242424242424242",
  another: "5555555555554444",
  declined: "4000000000000002",
  asksOnce: "4000002500003155",
  asksAlways: "4000002760003184",
  failsLater: "4000000000000341",
} as const;

/** Stripe's names for who or what paused a plan. A trial that ends without a card pauses by itself. */
type PauseCause = "pause_requested" | "first_payment_failure" | "final_payment_failure" | "system";
type How = { card?: string; expiry?: string } | { bank: "succeeds" | "fails" };
type Fields = Record<string, string>;

/** The actions of a customer on plans and payments, those of their bank, and those of the team in Stripe's dashboard. */
export class Customer {
  readonly #site: DemoSite;
  readonly #account: () => Promise<Account>;

  constructor(site: DemoSite, account: () => Promise<Account>) {
    this.#site = site;
    this.#account = account;
  }

  /** Pays on the hosted page and comes back. Confirms 3-D Secure if the card requires it. */
  async buys(planId: string, interval: Interval, how: How = {}): Promise<void> {
    const checkout = await this.goesToCheckout(planId, interval);
    const after = await this.#send(checkout, { ...this.#answer(how), ...(await this.#addressAsked()) });
    if (after.endsWith("/confirm")) await this.#send(after, { answer: "complete" });
    await this.looks();
  }

  /** Goes to the hosted page and, with `how`, on to its response. Confirms nothing there. */
  async goesToCheckout(planId: string, wanted: Interval, how?: How): Promise<string> {
    const { app } = this.#site;
    const account = await this.#account();
    const interval = this.#soldBy(planId, wanted);
    const { buyer, offer } = await offerPlan(app, account.id, await findBuyer(app, account.id), {
      planId,
      interval,
    });
    if (offer?.kind !== "start") throw new Error(`No start: ${JSON.stringify(offer)}`);
    const { url } = must(await beginCheckout(app, account, { planId, interval, ...buyer, quote: offer.quote }));
    if (!how) return url;
    await this.#send(url, { ...this.#answer(how), ...(await this.#addressAsked()) });
    await this.looks();
    return url;
  }

  async changesTo(planId: string, wanted: Interval): Promise<void> {
    const { app } = this.#site;
    const account = await this.#account();
    const interval = this.#soldBy(planId, wanted);
    const { offer } = await offerPlan(app, account.id, await findBuyer(app, account.id), { planId, interval });
    if (offer?.kind !== "now" && offer?.kind !== "later") throw new Error(`No change: ${JSON.stringify(offer)}`);
    must(await startChange(app, account, { planId, interval, quote: offer.quote }));
    await this.looks();
  }

  async cancels(): Promise<void> {
    must(await runSubscriptionAction(this.#site.app, await this.#account(), "cancel"));
    await this.looks();
  }

  /** Changes the card in the portal. The amount due is then retried. */
  async changesCard(card: string, expiry?: string): Promise<void> {
    await this.#atPortal(this.#answer({ card, ...(expiry && { expiry }) }));
  }

  async writesAddress(
    name: string,
    country: string,
    [line1, postal_code, city]: [string, string, string],
  ): Promise<void> {
    await this.#atPortal({ intent: "details", name, line1, postal_code, city, country });
  }

  async addsVatId(vatId: string): Promise<void> {
    await this.#atPortal({ intent: "add-tax-id", tax_id: vatId });
  }

  async withdraws(name: string): Promise<void> {
    const account = await this.#account();
    const order = await this.newestOrder();
    const declaration = { name, order: orderNumber(order) ?? order.id, email: parsed(account.email) };
    must(
      await declareWithdrawal(this.#site.app, declaration, { ip: "198.51.99.1", accountId: account.id, isOwn: true }),
    );
  }

  /** Withdraws as someone who knows the order's number and the address but isn't signed in. */
  async isWithdrawnByAnyone(name: string): Promise<void> {
    const account = await this.#account();
    const order = await this.newestOrder();
    const declaration = { name, order: orderNumber(order) ?? "", email: parsed(account.email) };
    must(await declareWithdrawal(this.#site.app, declaration, { ip: "198.51.99.2", accountId: null, isOwn: false }));
  }

  /** Cancels without signing in, by the order's number or another text. */
  async cancelsByForm(name: string, order?: string): Promise<void> {
    const { app } = this.#site;
    const account = await this.#account();
    const own = order === undefined ? orderNumber(await this.newestOrder()) : order;
    const fields = { kind: "ordinary", cause: "", name, order: own ?? "", endsOn: "" } as const;
    const declaration = { intent: "declare", ...fields, email: parsed(account.email) } as const;
    const declared = must(
      await declareCancellation(app, declaration, { ip: "198.51.99.3", accountId: null, isOwn: false }),
    );
    await carryOutCancellation(app, declared.id);
  }

  /** The team rejects the withdrawal. */
  async isContested(reason: string): Promise<void> {
    const { app } = this.#site;
    const { id } = await this.#account();
    const declared = await listWithdrawals(app.db, unansweredWithdrawals, null, 100);
    must(await contestWithdrawal(app, declared.find(({ accountId }) => accountId === id)?.id ?? noWithdrawal, reason));
  }

  /** Refunds the whole amount, or this share of it. */
  async isRefunded(share?: number): Promise<void> {
    const amountMinor = share && this.#share(await this.newestOrder(), share);
    await this.#site.control("refund", { order: await this.#newestPayment(), ...(amountMinor && { amountMinor }) });
    await this.looks();
  }

  async isDisputed(outcome?: "won" | "lost"): Promise<void> {
    await this.#site.control("dispute", { order: await this.#newestPayment(), ...(outcome && { outcome }) });
    await this.looks();
  }

  /** The bank that issued the card reports the newest payment as fraud; the cron job reads that. */
  async isReportedAsFraud(): Promise<void> {
    await this.#site.control("warning", { order: await this.#newestPayment() });
    await this.#site.sweep();
  }

  /** The team grants account credit of this many times the last payment. */
  async isCredited(times: number, description: string): Promise<void> {
    const currency = this.#site.app.product.currency.toLowerCase();
    const input = { amount: -this.#share(await this.newestOrder(), times), currency, description };
    await this.#site.stripe.customers.createBalanceTransaction(await this.customerId(), input);
    await this.looks();
  }

  /** The team grants a trial, which pauses if no card is added. */
  async tries(planId: string, interval: Interval, days: number): Promise<void> {
    const { stripe } = this.#site;
    const lookupKey = priceKey(planId, this.#soldBy(planId, interval));
    const [price] = (await stripe.prices.list({ lookup_keys: [lookupKey] })).data;
    await stripe.subscriptions.create({
      customer: await this.customerId(),
      items: [{ price: price?.id ?? "" }],
      trial_period_days: days,
      trial_settings: { end_behavior: { missing_payment_method: "pause" } },
    });
    await this.looks();
  }

  /** The team pauses their plan in Stripe, or Stripe does by itself. */
  async isPaused(cause: PauseCause = "pause_requested"): Promise<void> {
    const [running] = (await this.#site.stripe.subscriptions.list({ customer: await this.customerId() })).data;
    await this.#site.control("pause", { subscription: running?.id ?? "", paused: "yes", cause });
    await this.looks();
  }

  /** The team pauses collection of their plan in Stripe. */
  async isPutOnHold(): Promise<void> {
    const { stripe } = this.#site;
    const [running] = (await stripe.subscriptions.list({ customer: await this.customerId() })).data;
    await stripe.subscriptions.update(running?.id ?? "", { pause_collection: { behavior: "void" } });
    await this.looks();
  }

  async newestOrder(): Promise<Order> {
    const [order] = (await findNewestOrder(this.#site.app.db, (await this.#account()).id, 0)).map(readOrder);
    if (!order) throw new Error("There is no order");
    return order;
  }

  async customerId(): Promise<string> {
    return must(await ensureCustomer(this.#site.app, await this.#account())).customerId;
  }

  /** The requested interval, if the plan is sold by it. */
  #soldBy(planId: string, interval: Interval): Interval {
    const plan = findPlan(this.#site.app.product, planId);
    return plan ? intervalFor(plan, interval) : interval;
  }

  /** A share of an order's price, rounded to amounts that Stripe accepts. */
  #share({ amountMinor }: Order, share: number): number {
    return roundAmount(amountMinor * share, this.#site.app.product.currency);
  }

  /** What is typed on the page. A card is valid for two more years, unless set otherwise. */
  #answer(how: How): Fields {
    if ("bank" in how) return { bank: how.bank };
    return { number: how.card ?? cards.good, expiry: how.expiry ?? expiryMonthOf(this.#site.presentAt + 800 * dayMs) };
  }

  /** The hosted checkout asks for an address where the product's config requires it, and where tax depends on it. */
  async #addressAsked(): Promise<Fields> {
    const { tax, billingAddress } = this.#site.app.product;
    if (tax !== "stripe" && billingAddress === "auto") return {};
    const { name, email } = await this.#account();
    return {
      name: name ?? email ?? "",
      line1: "Kastanienallee 7",
      postal_code: "10435",
      city: "Berlin",
      country: "DE",
    };
  }

  /** Stripe's own id, since renewals don't have ours. */
  async #newestPayment(): Promise<string> {
    return (await this.newestOrder()).invoiceId ?? "";
  }

  /** Does what loading the customer's pages does: the site asks Stripe about them. */
  async looks(): Promise<void> {
    const { id } = await this.#account();
    await this.#site.look(id);
    // What followed from the payment, such as a refund, comes back from Stripe.
    await this.#site.look(id);
  }

  async #atPortal(fields: Fields): Promise<void> {
    const { url } = must(await openPortal(this.#site.app, (await this.#account()).id, "/settings"));
    const sent = await this.#send(url, fields);
    const after = sent.endsWith("/confirm") ? await this.#send(sent, { answer: "complete" }) : sent;
    if (!/done=(added|details)$/.test(after)) throw new Error(`The portal said ${after}`);
    await this.looks();
  }

  /** Submits a form on one of the hosted pages; returns where it leads. */
  async #send(url: string, fields: Fields): Promise<string> {
    const answer = await fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) });
    await answer.body?.cancel();
    if (answer.status >= 400) throw new Error(`${url} answered ${answer.status}`);
    return new URL(answer.headers.get("Location") ?? "", url).href;
  }
}

/** "11 / 26", as customers type it. The card is valid until the end of that month. */
export function expiryMonthOf(at: number): string {
  const then = new Date(at);
  return `${String(then.getUTCMonth() + 1).padStart(2, "0")} / ${String(then.getUTCFullYear() % 100).padStart(2, "0")}`;
}
