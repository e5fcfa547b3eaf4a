import type { ShownPrice } from "#app/integrations/stripe/prices.ts";
import type Stripe from "stripe";
import { setTimeout as pause } from "node:timers/promises";
import type { Target } from "./target.ts";

/** What a step found out, beside the answers themselves: compared as well. */
export type Facts = Record<string, unknown>;

export type Step = { name: string; run(stepContext: StepContext): Promise<Facts> };

/** A step needs a person at Checkout's page, which no API can drive. */
export class ManualStep extends Error {}

export type Options = {
  /** Waits for a person at Checkout's page; otherwise such steps are left out at Stripe. */
  isAttended: boolean;
  say(line: string): void;
};

export type Interval = "month" | "year";
export type Prices = Record<"small" | "large", Record<Interval, Stripe.Price>>;

const secondsPerDay = 86_400;
const manualPatienceMs = 15 * 60_000;

/** One step's own test clock, customer and calls. */
export class StepContext {
  readonly target: Target;
  readonly prices: Prices;
  readonly nonce: string;
  readonly events = new Map<string, Stripe.Event>();
  readonly #options: Options;
  readonly #clock: Stripe.TestHelpers.TestClock;
  readonly #customers: string[] = [];

  private constructor({ step, ...base }: StepContextParts, clock: Stripe.TestHelpers.TestClock) {
    ({ target: this.target, prices: this.prices, options: this.#options } = base);
    this.nonce = `${base.nonce}s${step}`;
    this.#clock = clock;
  }

  static async open(parts: StepContextParts): Promise<StepContext> {
    const frozen_time = parts.target.beginningOf(parts.step);
    return new StepContext(
      parts,
      await parts.target.stripe.testHelpers.testClocks.create({ frozen_time, name: parts.nonce }),
    );
  }

  get stripe(): Stripe {
    return this.target.stripe;
  }

  get clockId(): string {
    return this.#clock.id;
  }

  get beganAt(): number {
    return this.#clock.frozen_time;
  }

  /** The price as the integration gets it. */
  shown(plan: keyof Prices, interval: Interval): ShownPrice {
    const { lookup_key: key, unit_amount: amountMinor, currency } = this.prices[plan][interval];
    return { key: key ?? "", amountMinor: amountMinor ?? 0, currency: currency.toUpperCase(), interval };
  }

  /** On the step's clock. With a card it is the default for all charges. */
  async customer(card: string | null = "pm_card_visa"): Promise<Stripe.Customer> {
    const customer = await this.stripe.customers.create({ email: "ada@example.com", test_clock: this.#clock.id });
    this.#customers.push(customer.id);
    return card === null ? customer : this.useCard(customer, card);
  }

  async useCard(customer: Stripe.Customer, card: string): Promise<Stripe.Customer> {
    const method = await this.stripe.paymentMethods.attach(card, { customer: customer.id });
    return this.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
  }

  subscribe(
    customer: Stripe.Customer,
    price: Stripe.Price,
    more: Stripe.SubscriptionCreateParams = {},
  ): Promise<Stripe.Subscription> {
    const metadata = { order: `ord_${this.nonce}` };
    return this.stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }], metadata, ...more });
  }

  /** When it returns, everything due in between has happened. */
  async advance(days: number): Promise<void> {
    await this.collectEvents();
    const clocks = this.target.quiet.testHelpers.testClocks;
    const { frozen_time: now } = await clocks.retrieve(this.#clock.id);
    await this.stripe.testHelpers.testClocks.advance(this.#clock.id, { frozen_time: now + days * secondsPerDay });
    for (let wait = 0; wait < 300; wait += 1) {
      const { status } = await clocks.retrieve(this.#clock.id);
      if (status === "ready") return;
      if (status === "internal_failure") break;
      await pause(1000);
    }
    throw new Error("The test clock doesn't arrive");
  }

  /** Pays: at the emulator by its control call, at Stripe by hand. */
  async payCheckout(session: Stripe.Checkout.Session, outcome: "paid" | "processing"): Promise<void> {
    if (this.target.control !== null) return this.target.control("checkout", { session: session.id, outcome });
    if (!this.#options.isAttended) throw new ManualStep("has a purchase at Checkout's page: run it with --manual");
    this.#options.say(
      `Pay at ${session.url} ${outcome === "paid" ? "with 4242 4242 4242 4242" : "by SEPA debit, AT611904300234573201"}`,
    );
    for (const end = Date.now() + manualPatienceMs; Date.now() < end; await pause(2000)) {
      const { status } = await this.target.quiet.checkout.sessions.retrieve(session.id);
      if (status === "complete") return;
    }
    throw new ManualStep("was not paid within a quarter of an hour");
  }

  async latestInvoice(subscription: Stripe.Subscription): Promise<Stripe.Invoice> {
    const [invoice] = (await this.stripe.invoices.list({ subscription: subscription.id, limit: 1 })).data;
    if (invoice === undefined) throw new Error("The subscription has no invoice");
    return invoice;
  }

  /**
   * Events of the step's customers. The emulator drops them after 30 days of its clock, so they are collected on the
   * way.
   */
  async collectEvents(): Promise<void> {
    for (let known = -1, round = 0; known !== this.events.size && round < 20; round += 1) {
      known = this.events.size;
      const { data } = await this.target.quiet.events.list({ limit: 100 });
      for (const event of data) if (this.#isOurs(event)) this.events.set(event.id, event);
      // Stripe's arrive a little after what they report.
      if (this.target.control === null) await pause(3000);
    }
  }

  #isOurs({ data: { object } }: Stripe.Event): boolean {
    const customer: unknown = Reflect.get(object, "customer");
    const id: unknown = Reflect.get(object, "id");
    return this.#customers.some((own) => own === customer || own === id);
  }

  async close(): Promise<void> {
    await this.target.quiet.testHelpers.testClocks.del(this.#clock.id);
  }
}

export type StepContextParts = { target: Target; prices: Prices; nonce: string; options: Options; step: number };
