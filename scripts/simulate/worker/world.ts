import { Stripe } from "stripe";
import type { App } from "#app/app.ts";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import { hashToken } from "#app/core/hash.ts";
import { done, refused } from "#app/core/result.ts";
import { openDatabase } from "#app/db/database.server.ts";
import { watchTrips } from "#app/db/watch-trips.server.ts";
import type { OutgoingEmail } from "#app/integrations/email/email-transport.ts";
import { openPaymentProvider } from "#app/integrations/stripe/payment-provider.server.ts";
import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import { acceptEvent } from "#app/modules/billing-sync/commands/handle-events.server.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import { product } from "#app/product/config.ts";
import { handleEventsAndFollowUp } from "#app/workflows/after-payment.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { runCronJobs } from "#workers/cron.ts";
import type { EmulatorAccount } from "#workers/stripe-emulator/emulator-account.ts";
import { signPayload } from "#workers/stripe-emulator/events/sign-payload.ts";
import { setUpStripe } from "../../stripe/set-up.ts";
import { WEBHOOK_EVENTS } from "../../stripe/webhook.ts";
import { seededRandom, type SeededRandom } from "../seeded-random.ts";
import { startsAt } from "../starts-at.ts";
import type { Death, Story, WorldStep } from "../story.ts";
import { Process } from "./process.ts";
import { realNow, reseed, simulatedClock } from "./seeded-platform.ts";
import { SeededScheduler } from "./seeded-scheduler.ts";

export type WorldEnv = { DB: D1Database; ENTITLEMENT_SIGNING_KEY: string };
export type SentEmail = OutgoingEmail & { at: number };
type Payments = NonNullable<App["payments"]>;
/** `settle`: until what was deferred has happened. */
export type WorldApp = App & { payments: Payments; settle: () => Promise<void> };
type Running = { process: Process; app: WorldApp };
type Delivery = { at: number; event: Stripe.Event; tries: number };
type StripeCall = { url: string; method: string; headers: Headers; body: string | null };
type StripeFault = { how: "before" | "after"; times: number } | null;

type PaidOrder = Pick<Order, "id" | "numberYear" | "numberInYear" | "invoiceId" | "amountMinor">;

/** Tables beside the site's own. */
export const notOfTheSite = "'d1_migrations', 'objects', 'notes', 'timers', 'deliveries', 'attempts', 'saved_answers'";

const origin = "http://localhost:8787";
const stripeOrigin = "http://stripe.simulated:8788";
const webhookSecret = "local-stripe-webhook-secret";
/** The site's cron job runs every minute. Here it runs soon after anything happened, and at least this often. */
const cronEveryMs = 2 * dayMs;
/** Minutes from a step to the next run: usually a whole visit fits in between, which the faster cron job of a deployed site makes rare. */
const cronDelaysMinutes = [1, 15, 40];
/** The longest that something may have to wait for the cron job. */
export const cronDelayMs = cronEveryMs + hourMs;
const webhookRetryMs = hourMs;

const config: ProductConfig = product;
const wantedEvents = new Set<string>(WEBHOOK_EVENTS);

/** Processes that are under way, by the number in the key by which they call Stripe. */
let callers = new Map<number, Process>();
let onStage: World | null = null;

const outside = globalThis.fetch;

/** Stripe's SDK uses the global fetch: its calls are answered by the emulator in this isolate, without a socket. */
export function installStripe(): void {
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (new URL(url).hostname !== "stripe.simulated" || onStage === null) return outside(input, init);
    const { method = "GET", headers, body } = init ?? {};
    return onStage.answerStripe({
      url,
      method,
      headers: new Headers(headers),
      body: body == null ? null : String(body),
    });
  };
}

/** From now on Stripe's calls are this world's. */
export function putOnStage(world: World): void {
  onStage = world;
}

/** The site with its database and its Stripe, under one clock. Time passes only by `passTo` and by calls. */
export class World {
  readonly account: EmulatorAccount;
  readonly stripe: Stripe;
  readonly random: SeededRandom;
  readonly scheduler: SeededScheduler;
  readonly emails: SentEmail[] = [];
  readonly reports: Record<string, number> = {};
  readonly calls = { database: 0, stripe: 0 };
  readonly #env: WorldEnv;
  readonly #storage: DurableObjectStorage;
  readonly #gate: Gate;
  #isEmailDown = false;
  #stripeFault: StripeFault = null;
  #webhooks: (WorldStep & { do: "webhooks arrive" })["how"] = "promptly";
  #deaths: { during: "cron" | "webhook"; dies: Death }[] = [];
  #deliveries: Delivery[] = [];
  #seenEvents = 0;
  #cronAt = startsAt;
  #processes = 0;
  /** Real milliseconds by what they were spent on. */
  readonly spent: Record<string, number> = {};
  /** Called after each cron run. */
  afterCron: () => Promise<void> = async () => undefined;

  /** `db`: of the site. */
  constructor(env: WorldEnv, account: EmulatorAccount, storage: DurableObjectStorage, story: Story, gate: Gate) {
    this.#env = { ...env, DB: withoutChance(env.DB) };
    this.account = account;
    this.#storage = storage;
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
    callers = new Map();
  }

  now(): number {
    return simulatedClock.now();
  }

  async begin(): Promise<void> {
    simulatedClock.set(startsAt);
    reseed("catalogue");
    await setUpStripe({ stripe: this.stripe, product: config, origin, log: () => undefined });
    // Events are delivered by the story.
    for (const { id } of (await this.stripe.webhookEndpoints.list()).data) {
      await this.stripe.webhookEndpoints.update(id, { disabled: true });
    }
    this.#seenEvents = this.#newestEvent();
    this.#cronAt = this.now() + cronEveryMs;
  }

  /** A new run of the Worker. */
  start(dies?: Death): Running {
    this.#processes += 1;
    const process = new Process(this.#processes, dies);
    callers.set(process.id, process);
    return { process, app: this.#appOf(process) };
  }

  /** Runs work as one run of the Worker, with what it defers until after its answer; `died` if it did. */
  async run<Value>(work: (app: WorldApp) => Promise<Value>, dies?: Death): Promise<Value | "died"> {
    const { process, app } = this.start(dies);
    try {
      const value = await Promise.race([work(app), process.died]);
      await process.settled();
      return process.isDead ? "died" : value;
    } finally {
      callers.delete(process.id);
    }
  }

  async change(step: WorldStep): Promise<void> {
    switch (step.do) {
      case "webhooks arrive":
        this.#webhooks = step.how;
        return;
      case "email":
        this.#isEmailDown = !step.works;
        return;
      case "the Worker dies":
        this.#deaths.push({ during: step.during, dies: step.dies });
        return;
      case "Stripe fails":
        if (step.how === "before" || step.how === "after") this.#stripeFault = { how: step.how, times: step.times };
        else await this.control("disorder", { apiFault: { kind: step.how, next: step.times } });
        return;
      case "everything settles":
    }
  }

  /** No fault is pending any more. */
  async heal(): Promise<void> {
    this.#webhooks = "promptly";
    this.#isEmailDown = false;
    this.#stripeFault = null;
    this.#deaths = [];
    await this.control("disorder", {});
  }

  /** Everything due on the way happens: timers at Stripe, webhooks, the cron job. */
  async passTo(at: number): Promise<void> {
    for (;;) {
      this.#collectEvents();
      const nextTimer = this.account.clock.nextDueAt() ?? Infinity;
      const nextDelivery = Math.min(...this.#deliveries.map((delivery) => delivery.at));
      const next = Math.min(nextTimer, nextDelivery, this.#cronAt);
      if (next > at) break;
      simulatedClock.set(Math.max(this.now(), next));
      if (nextTimer <= this.now()) this.#advanceStripe();
      else if (nextDelivery <= this.now()) await this.#deliverDue();
      else await this.cron();
    }
    simulatedClock.set(Math.max(this.now(), at));
  }

  /** Something happened: the cron job's next run is soon. */
  stir(): void {
    this.#collectEvents();
    this.#cronAt = Math.min(this.#cronAt, this.now() + this.random.pick(cronDelaysMinutes) * minuteMs);
  }

  /** One run of the cron job. */
  async cron(): Promise<void> {
    const startedAt = realNow();
    this.#cronAt = this.now() + cronEveryMs;
    const death = this.#takeDeath("cron");
    await this.run((app) => runCronJobs(app), death);
    if (death) this.stir();
    this.#collectEvents();
    this.#spend("cron", startedAt);
    await this.afterCron();
  }

  /** No fault of Stripe is pending. */
  get isStripeSound(): boolean {
    return this.#stripeFault === null && (this.account.store.note("disorder") ?? "{}") === "{}";
  }

  get product(): ProductConfig {
    return config;
  }

  /** All rows of a query, at its turn among the calls. */
  query<Row>(sql: string, ...values: (string | number | null)[]): Promise<Row[]> {
    return this.scheduler.call(
      async () =>
        (
          await this.#env.DB.prepare(sql)
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

  async paidOrder(accountId: string, which: "newest" | "oldest"): Promise<PaidOrder | undefined> {
    const order = which === "newest" ? "desc" : "asc";
    const [row] = await this.query<PaidOrder>(
      `select id, number_year as numberYear, number_in_year as numberInYear, invoice_id as invoiceId, amount_minor as amountMinor
       from orders where account_id = ? and number_year is not null and amount_minor > 0 order by paid_at ${order}, id limit 1`,
      accountId,
    );
    return row;
  }

  /** The answers of several queries in one call, by their names. */
  async queries(named: Record<string, string>): Promise<Record<string, Record<string, unknown>[]>> {
    const names = Object.keys(named);
    const answers = await this.scheduler.call(() =>
      this.#env.DB.batch<Record<string, unknown>>(Object.values(named).map((sql) => this.#env.DB.prepare(sql))),
    );
    return Object.fromEntries(names.map((name, index) => [name, answers[index]?.results ?? []]));
  }

  /** Every row of every table. */
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

  /** Of all that is stored and was sent: the same for the same story. */
  async hash(): Promise<string> {
    const objects = this.#storage.sql
      .exec<{ id: string; body: string }>("select id, body from objects order by seq")
      .toArray();
    const all = JSON.stringify([await this.allRows(), objects, this.emails]);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(all));
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** What waits to be delivered. */
  get waitingDeliveries(): number {
    return this.#deliveries.length;
  }

  async control(order: string, body: object): Promise<void> {
    const answer = await this.account.fetch(
      new Request(`${stripeOrigin}/control/${order}`, { method: "POST", body: JSON.stringify(body) }),
    );
    if (!answer.ok) throw new Refused(`Stripe: ${(await answer.text()).slice(0, 200)}`);
    await answer.body?.cancel();
  }

  /** Submits a form on one of Stripe's pages; returns where it leads. */
  async send(url: string, fields: Record<string, string>): Promise<string> {
    const answer = await this.account.fetch(
      new Request(url, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) }),
    );
    await answer.body?.cancel();
    if (answer.status >= 400) throw new Refused(`the page answered ${answer.status}`);
    return new URL(answer.headers.get("Location") ?? "", url).href;
  }

  /** A call from the site or from the team. */
  async answerStripe({ url, method, headers, body }: StripeCall): Promise<Response> {
    const [, number] = /^Bearer local-(\d+)$/.exec(headers.get("Authorization") ?? "") ?? [];
    const process = callers.get(Number(number));
    this.calls.stripe += 1;
    // With a form's own content type the runtime warns of every body that is read as text.
    headers.set("Content-Type", "text/plain");
    const make = async () => {
      const fault = process && this.#takeFault();
      if (fault === "before") throw new TypeError("Network connection lost.");
      const answer = await this.account.fetch(
        new Request(url, { method, headers, ...(method === "GET" ? {} : { body }) }),
      );
      const text = await answer.text();
      if (fault === "after") throw new TypeError("Network connection lost.");
      return readAnswer(answer, text);
    };
    if (!process) return Number(number) === 0 ? make() : new Promise(() => undefined);
    return process.call(() => this.scheduler.call(make));
  }

  #takeFault(): "before" | "after" | null {
    const fault = this.#stripeFault;
    if (!fault || fault.times <= 0) return null;
    this.#stripeFault = fault.times === 1 ? null : { ...fault, times: fault.times - 1 };
    return fault.how;
  }

  #takeDeath(during: "cron" | "webhook"): Death | undefined {
    const index = this.#deaths.findIndex((death) => death.during === during);
    return index === -1 ? undefined : this.#deaths.splice(index, 1)[0]?.dies;
  }

  #advanceStripe(): void {
    this.account.advance({ origin: stripeOrigin }, 0);
    this.#collectEvents();
    this.#cronAt = Math.min(this.#cronAt, this.now() + 2 * hourMs);
  }

  #newestEvent(): number {
    const [row] = this.#storage.sql.exec<{ seq: number }>(
      "select coalesce(max(seq), 0) as seq from objects where kind = 'event'",
    );
    return row?.seq ?? 0;
  }

  /** Plans how the events since the last time arrive, by the present way. */
  #collectEvents(): void {
    const rows = this.#storage.sql
      .exec<{ seq: number; body: string }>(
        "select seq, body from objects where kind = 'event' and seq > ? order by seq",
        this.#seenEvents,
      )
      .toArray();
    if (rows.length === 0) return;
    this.#seenEvents = rows.at(-1)?.seq ?? this.#seenEvents;
    const now = this.now();
    for (const [index, { body }] of rows.entries()) {
      const event = JSON.parse(body) as Stripe.Event;
      if (!wantedEvents.has(event.type)) continue;
      const plan = (at: number) => this.#deliveries.push({ at, event, tries: 0 });
      switch (this.#webhooks) {
        case "promptly":
          plan(now);
          break;
        case "twice":
          plan(now);
          plan(now + (1 + this.random.below(600)) * minuteMs);
          break;
        case "late":
          plan(now + (1 + this.random.below(3 * 24 * 60)) * minuteMs);
          break;
        case "in reverse":
          plan(now + (rows.length - index) * minuteMs);
          break;
        case "never":
      }
    }
  }

  /** All that are due arrive together, in a seeded order of their calls. */
  async #deliverDue(): Promise<void> {
    const startedAt = realNow();
    const due = this.#deliveries.filter(({ at }) => at <= this.now()).slice(0, 16);
    this.#deliveries = this.#deliveries.filter((delivery) => !due.includes(delivery));
    let accepted = 0;
    let allAccepted: () => void = () => undefined;
    const burst = new Promise<void>((resolve) => {
      allAccepted = resolve;
    });
    const accept = () => {
      accepted += 1;
      if (accepted === due.length) allAccepted();
    };
    await Promise.all(due.map((delivery) => this.#deliver(delivery, { burst, accept })));
    this.stir();
    this.#spend("webhooks", startedAt);
  }

  async #deliver(delivery: Delivery, { burst, accept }: { burst: Promise<void>; accept: () => void }): Promise<void> {
    const payload = JSON.stringify(delivery.event);
    const signature = await signPayload(payload, [webhookSecret], Math.floor(this.now() / 1000));
    const outcome = await this.run(async (app) => {
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
    }, this.#takeDeath("webhook"));
    if (outcome === "died") accept();
    // Stripe sends it again after any answer but 2xx.
    if ((outcome === "died" || !outcome.ok) && delivery.tries < 3)
      this.#deliveries.push({ ...delivery, at: this.now() + webhookRetryMs, tries: delivery.tries + 1 });
  }

  #spend(kind: string, startedAt: number): void {
    this.spent[kind] = (this.spent[kind] ?? 0) + realNow() - startedAt;
  }

  #appOf(process: Process): WorldApp {
    const watch = <Answer>(_statements: readonly string[], makeTrip: () => Promise<Answer>): Promise<Answer> => {
      this.calls.database += 1;
      return process.call(() => this.scheduler.call(makeTrip));
    };
    return {
      product: config,
      gate: this.#gate,
      stripeDashboard: null,
      origin,
      db: openDatabase(watchTrips(this.#env.DB, watch)),
      network: "192.0.2.0/24",
      visits: { read: async () => ({ referral: null, signedInBy: null }), remember: async () => "" },
      email: { send: (email) => process.call(async () => this.#send(email)) },
      returns: null,
      emailSender: "Simulation <hello@simulated.example>",
      payments: openPaymentProvider({
        key: `local-${process.id}`,
        webhookSecrets: webhookSecret,
        apiBase: stripeOrigin,
        automaticTax: config.automaticTax,
        billingAddress: config.billingAddress,
        waiting: { chance: () => this.random.next(), now: () => this.now(), pause: async () => undefined },
      }),
      clock: () => this.now(),
      wallClock: () => this.now(),
      random: (byteCount) => crypto.getRandomValues(new Uint8Array(byteCount)),
      pepper: "the simulation's pepper has at least 32 letters",
      operatorToken: null,
      weakSecrets: () => [],
      entitlementSecret: this.#env.ENTITLEMENT_SIGNING_KEY,
      later: (work) => process.defer(work.catch((error: unknown) => this.#report(process, error))),
      pause: async () => undefined,
      report: (error) => this.#report(process, error),
      rateLimitOfForms: { limit: async () => ({ success: true }) },
      rateLimitOfApi: { limit: async () => ({ success: true }) },
      nonce: "",
      referenceId: "",
      route: { pattern: "simulation" },
      diagnostics: null,
      isLocal: true,
      isTestMode: false,
      trips: { toDatabase: 0, inARow: 0 },
      isMigrated: async () => true,
      embeds: [],
      captcha: null,
      isProduction: false,
      settle: () => process.settled(),
    };
  }

  #send(email: OutgoingEmail) {
    if (this.#isEmailDown) return refused({ reason: "mail-down" as const });
    this.emails.push({ ...email, at: this.now() });
    return done({ serviceId: null });
  }

  #report(process: Process, error: unknown): void {
    if (process.isDead) return;
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const plain = text.replaceAll(/\b[a-z]{2,4}_[\w]+/gi, "…").slice(0, 160);
    this.reports[plain] = (this.reports[plain] ?? 0) + 1;
  }
}

/** An action that isn't possible now, and isn't a bug. */
export class Refused extends Error {}

/** SQLite's own `random()`, by which cron jobs choose whom they begin with, has no seed. */
function withoutChance(db: D1Database): D1Database {
  return new Proxy(db, {
    get(target, name) {
      if (name === "prepare") return (sql: string) => target.prepare(sql.replaceAll(/\brandom\(\)/g, "abs(0)"));
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** What Stripe's SDK reads of an answer; the body is there already. */
function readAnswer({ status, headers }: Response, text: string): Response {
  const answer = {
    status,
    headers,
    ok: status < 300,
    body: null,
    text: async () => text,
    json: async () => JSON.parse(text) as unknown,
  };
  return answer as unknown as Response;
}
