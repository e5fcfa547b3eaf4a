import { Stripe } from "stripe";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { runCronJobs } from "#workers/cron.ts";
import type { EmulatedAccount } from "stripe-emulator/worker";
import { setUpStripe } from "../../../stripe/set-up.ts";
import { seededRandom, type SeededRandom } from "../seeded-random.ts";
import { startsAt } from "../starts-at.ts";
import type { NewPrices, Played, Story, WorldStep } from "../story.ts";
import { withPrices } from "../with-prices.ts";
import { makeApp, origin, type WorldApp, type WorldEnv } from "./make-app.ts";
import { PostOffice, type SentEmail } from "./post-office.ts";
import { type Fate, Process } from "./process.ts";
import { isDatabaseFailure } from "./database-failure.ts";
import { realNow, reseed, simulatedClock } from "./seeded-platform.ts";
import { CancellationBook } from "./cancellation-book.ts";
import { DashboardBook } from "./dashboard-book.ts";
import { SessionBook } from "./session-book.ts";
import { SeededScheduler } from "./seeded-scheduler.ts";
import { StripeLine, stripeOrigin } from "./stripe-line.ts";
import { Webhooks } from "./webhooks.ts";
import { withoutChance } from "./without-chance.ts";
import { WorldFaults } from "./world-faults.ts";
import { WorldRecords } from "./world-records.ts";

/** The site's cron job runs every minute. Here it runs soon after anything happened, and at least this often. */
const cronEveryMs = 2 * dayMs;
/** Minutes from a step to the next run. Usually a whole visit fits in between, which the faster cron job of a deployed site makes rare. */
const cronDelaysMinutes = [1, 15, 40];
/** The longest that something may have to wait for the cron job. */
export const cronDelayMs = cronEveryMs + hourMs;

/** The site with its database and its Stripe, under one clock. Time passes only by `passTo` and by calls. */
export class World {
  readonly account: EmulatedAccount;
  readonly stripe: Stripe;
  readonly random: SeededRandom;
  readonly scheduler: SeededScheduler;
  readonly reports: Record<string, number> = {};
  product: ProductConfig = product;
  readonly sessions = new SessionBook();
  readonly cancellations = new CancellationBook(() => this.now());
  callsToDatabase = 0;
  readonly dashboard: DashboardBook;
  readonly faults = new WorldFaults();
  readonly post = new PostOffice(this.faults, () => this.now());
  readonly records: WorldRecords;
  readonly line: StripeLine;
  readonly #webhooks: Webhooks;
  readonly #env: WorldEnv;
  readonly #gate: Gate;
  #cronAt = startsAt;
  #processes = 0;
  #databaseFailedAt = 0;
  /** Real milliseconds by what they were spent on. */
  readonly spent: Record<string, number> = {};
  /** Called after each cron run. `isWhole` means that nothing interrupted it. */
  afterCron: (isWhole: boolean) => Promise<void> = async () => undefined;

  constructor(env: WorldEnv, account: EmulatedAccount, storage: DurableObjectStorage, story: Story, gate: Gate) {
    this.#env = { ...env, DB: withoutChance(env.DB) };
    this.account = account;
    this.#gate = gate;
    this.random = seededRandom(`world ${story.seed}`);
    this.scheduler = new SeededScheduler(seededRandom(`calls ${story.seed}`));
    this.stripe = new Stripe("local-0", {
      host: "stripe.simulated",
      port: 8788,
      protocol: "http",
      telemetry: false,
      maxNetworkRetries: 0,
      httpClient: Stripe.createFetchHttpClient(),
    });
    this.records = new WorldRecords(this.#env.DB, storage, this.scheduler);
    this.dashboard = new DashboardBook(this.records, () => this.now());
    this.line = new StripeLine(account, this.scheduler, this.faults);
    this.#webhooks = new Webhooks(this, storage);
  }

  get emails(): SentEmail[] {
    return this.post.emails;
  }

  now(): number {
    return simulatedClock.now();
  }

  /** The plan that needs an invitation, if there is one. */
  get gatedPlanId(): string | null {
    return this.#gate.kind === "plan" ? this.#gate.planId : null;
  }

  async begin(): Promise<void> {
    simulatedClock.set(startsAt);
    reseed("catalogue");
    await this.#setUpStripe();
    this.#webhooks.skip();
    this.#cronAt = this.now() + cronEveryMs;
  }

  /** Deploys the config with other prices. */
  async changePrices(prices: NewPrices): Promise<void> {
    this.product = withPrices(this.product, prices);
    await this.#setUpStripe();
  }

  async #setUpStripe(): Promise<void> {
    await setUpStripe({ stripe: this.stripe, product: this.product, origin, log: () => undefined });
    // The story delivers the events.
    for (const { id } of (await this.stripe.webhookEndpoints.list()).data) {
      await this.stripe.webhookEndpoints.update(id, { disabled: true });
    }
  }

  /** Runs work as one run of the Worker, with what it defers until after its answer. Returns `died` if it did. */
  async run<Value>(work: (app: WorldApp) => Promise<Value>, fate: Fate = {}): Promise<Value | "died"> {
    this.#processes += 1;
    const process = new Process(this.#processes, fate);
    this.line.connect(process);
    try {
      const value = await Promise.race([work(makeApp(process, this, this.#env, this.#gate)), process.died]);
      await process.settled();
      return process.isDead ? "died" : value;
    } finally {
      // What was deferred happens after an error as well.
      await process.settled();
      if (process.databaseFailedAt !== null) this.#databaseFailedAt = process.databaseFailedAt;
      this.line.disconnect(process);
    }
  }

  async change(step: WorldStep): Promise<void> {
    await this.faults.change(step, (order, body) => this.line.control(order, body));
  }

  async heal(): Promise<void> {
    await this.faults.heal((order, body) => this.line.control(order, body));
  }

  /** Lets time pass. Everything due on the way happens: timers at Stripe, webhooks, the cron job. */
  async passTo(at: number): Promise<void> {
    for (;;) {
      this.#webhooks.collect();
      const nextTimer = this.account.clock.nextDueAt() ?? Infinity;
      const nextDelivery = this.#webhooks.nextAt;
      const next = Math.min(nextTimer, nextDelivery, this.#cronAt);
      if (next > at) break;
      simulatedClock.set(Math.max(this.now(), next));
      if (nextTimer <= this.now()) this.#advanceStripe();
      else if (nextDelivery <= this.now()) await this.#deliver();
      else await this.cron();
    }
    simulatedClock.set(Math.max(this.now(), at));
  }

  /** Something happened, so the cron job runs again soon. */
  stir(): void {
    this.#webhooks.collect();
    this.#cronAt = Math.min(this.#cronAt, this.now() + this.random.pick(cronDelaysMinutes) * minuteMs);
  }

  async cron(): Promise<void> {
    const startedAt = realNow();
    this.#cronAt = this.now() + cronEveryMs;
    const death = this.faults.takeDeath("cron");
    const isSound = this.isStripeSound;
    const beganAt = this.now();
    const outcome = await this.run((app) => runCronJobs(app), { dies: death });
    const isWhole = outcome !== "died" && this.#databaseFailedAt < beganAt;
    // A run without work makes fewer calls than one that erases an account or gives a reward, so a later run dies instead.
    if (death && outcome !== "died") this.faults.giveBack(death);
    if (!isWhole) this.stir();
    this.#webhooks.collect();
    this.#spend("cron", startedAt);
    await this.afterCron(isSound && isWhole);
  }

  get calls(): Played["calls"] {
    return { database: this.callsToDatabase, stripe: this.line.calls };
  }

  /** A hash of all that is stored and was sent. The same story gives the same hash. */
  hash(): Promise<string> {
    return this.records.hashWith(this.emails);
  }

  get isStripeSound(): boolean {
    return this.faults.isStripeReached && (this.account.store.note("disorder") ?? "{}") === "{}";
  }

  /** The site hears of everything at once, and Stripe answers. */
  get isUndisturbed(): boolean {
    const isSound = this.isStripeSound && this.faults.isDatabaseReached;
    return isSound && this.faults.webhooks === "promptly" && this.waitingDeliveries === 0;
  }

  get waitingDeliveries(): number {
    return this.#webhooks.waiting;
  }

  #advanceStripe(): void {
    this.account.advance({ origin: stripeOrigin }, 0);
    this.#webhooks.collect();
    this.#cronAt = Math.min(this.#cronAt, this.now() + 2 * hourMs);
  }

  async #deliver(): Promise<void> {
    const startedAt = realNow();
    await this.#webhooks.deliverDue();
    this.stir();
    this.#spend("webhooks", startedAt);
  }

  #spend(kind: string, startedAt: number): void {
    this.spent[kind] = (this.spent[kind] ?? 0) + realNow() - startedAt;
  }

  report(process: Process, error: unknown): void {
    if (process.isDead) return;
    const text = isDatabaseFailure(error)
      ? "the database failed"
      : error instanceof Error
        ? `${error.name}: ${error.message}`
        : String(error);
    const plain = text.replaceAll(/\b[a-z]{2,4}_[\w]+/gi, "…").slice(0, 160);
    this.reports[plain] = (this.reports[plain] ?? 0) + 1;
  }
}
