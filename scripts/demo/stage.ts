import { and, gt, lt, min, ne } from "drizzle-orm";
import Stripe from "stripe";
import type { App } from "#app/app.ts";
import { openDatabase } from "#app/db/client.server.ts";
import { subscriptions } from "#app/db/schema.ts";
import { done, type Result } from "#app/core/result.ts";
import { dayMs, secondMs } from "#app/core/time/time.ts";
import { handleEvents } from "#app/modules/billing-sync/commands/hear-event.server.ts";
import { hearMissedEvents } from "#app/modules/billing-sync/commands/hear-missed-events.server.ts";
import { listDueSubjects, takeEvents } from "#app/modules/stripe-events/inbox.queries.server.ts";
import { reconcileOrders } from "#app/modules/billing-sync/commands/reconcile-orders.server.ts";
import { readGate } from "#app/modules/catalogue/gate.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { openPaymentProvider } from "#app/integrations/stripe/payment-provider.server.ts";
import type { OutgoingMail } from "#app/integrations/email/email-transport.server.ts";
import { product } from "#app/product/config.ts";
import { runSweeps } from "#workers/cron.ts";
import { setUpCatalogue } from "../stripe/catalogue.ts";
import { setUpPortal } from "../stripe/portal.ts";

type Settings = {
  origin: string;
  stripe: string;
  key: string;
  pepper: string;
  mailFrom: string;
  entitlementSecret: string;
};
type Payments = NonNullable<App["payments"]>;

/** People came before the gate of the configuration was shut, so long ago. */
const gateShutMs = 30 * dayMs;

/** So many accounts are brought up to date side by side. */
const sideBySide = 4;

/**
 * Where the past is lived: the site's own acts on its own database, and the Stripe emulator, under one clock that begins long ago and
 * ends at the present. What the clock brings about at Stripe is heard as a Worker hears what no webhook told it: by the list of
 * events.
 */
export class Stage {
  /** When the play ends: scenes count back from here. */
  readonly presentAt = Date.now();
  readonly stripe: Stripe;
  /** What has left since somebody last looked. Nobody reads months of old mail: it goes nowhere. */
  readonly mails: OutgoingMail[] = [];
  /** What the site would have told the error reporting. Disputes are among it. */
  readonly reports: string[] = [];
  readonly #settings: Settings;
  readonly #product: ProductConfig;
  readonly #base: App & { payments: Payments };
  #later: Promise<unknown>[] = [];
  #behindMs = 0;

  constructor(binding: D1Database, settings: Settings, sold: ProductConfig = product) {
    this.#settings = settings;
    this.#product = sold;
    const { hostname, port } = new URL(settings.stripe);
    this.stripe = new Stripe(settings.key, { host: hostname, port: Number(port), protocol: "http", telemetry: false });
    this.#base = this.#powers(binding);
  }

  /** The site's powers at this moment of the play, with a deadline of their own at the payment provider. */
  get app(): App & { payments: Payments } {
    const gate = this.presentAt - this.now() > gateShutMs ? this.#base.gate : readGate(this.#product, undefined);
    return { ...this.#base, gate, payments: this.#base.payments.withOwnDeadline() };
  }

  now(): number {
    return Date.now() - this.#behindMs;
  }

  /** Empty books begin so long ago, and what is sold is there from the first day. The webhook comes with the present. */
  async begin(behindMs: number): Promise<void> {
    await this.control("clock", { startDaysAgo: behindMs / dayMs });
    this.#behindMs = behindMs;
    const setUp = { stripe: this.stripe, log: () => undefined };
    await setUpCatalogue(setUp, this.#product);
    await setUpPortal(setUp, this.#product, this.#settings.origin);
  }

  /** What falls due on the way happens, and the site hears of it. Never beyond the present. */
  async passTo(at: number): Promise<void> {
    const seconds = Math.floor((Math.min(at, Date.now()) - this.now()) / secondMs);
    if (seconds > 0) await this.#pass(seconds * secondMs);
  }

  async passToPresent(): Promise<void> {
    await this.#pass(this.#behindMs);
    await this.listen();
    await this.sweep();
  }

  async #pass(ms: number): Promise<void> {
    await this.control("clock", { advanceDays: ms / dayMs });
    this.#behindMs -= ms;
  }

  /** When the next period ends that the site knows of. */
  async nextRenewalAt(): Promise<number | null> {
    const [next] = await this.app.db
      .select({ at: min(subscriptions.periodEndsAt) })
      .from(subscriptions)
      .where(and(ne(subscriptions.state, "ended"), gt(subscriptions.periodEndsAt, this.now())));
    return next?.at ?? null;
  }

  /** Asks about everybody whose plan has come to the end of a period since it was last asked about. */
  async catchUp(): Promise<void> {
    const { accountId, state, periodEndsAt } = subscriptions;
    const isDue = and(ne(state, "ended"), lt(periodEndsAt, this.now()));
    const due = await this.app.db.select({ accountId }).from(subscriptions).where(isDue);
    for (let next = 0; next < due.length; next += sideBySide) {
      await Promise.all(
        due.slice(next, next + sideBySide).map((row) => reconcileOrders(this.app, row.accountId).then(must)),
      );
    }
    await this.settled();
  }

  /** Everything that Stripe has to say, until there is nothing new. */
  async listen(): Promise<void> {
    must(await hearMissedEvents(this.app));
    for (;;) {
      const due = await listDueSubjects(this.app.db, this.now(), 100);
      if (due.length === 0) return;
      for (let next = 0; next < due.length; next += sideBySide) {
        await Promise.all(due.slice(next, next + sideBySide).map((subject) => this.#hear(subject)));
      }
      await this.settled();
    }
  }

  async #hear(subject: Parameters<typeof handleEvents>[1]): Promise<void> {
    const { app } = this;
    must(await handleEvents(app, subject, await takeEvents(app.db, subject, 1, app.clock())));
  }

  /** The clock of the site strikes once. */
  async sweep(): Promise<void> {
    await runSweeps(this.app);
    await this.settled();
  }

  /** What acts put off until after their answer has happened. */
  async settled(): Promise<void> {
    while (this.#later.length > 0) {
      const work = this.#later;
      this.#later = [];
      await Promise.all(work);
    }
  }

  async control(order: string, body: object): Promise<void> {
    const answer = await fetch(`${this.#settings.stripe}/control/${order}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    if (!answer.ok)
      throw new Error(`control ${order} ${JSON.stringify(body)}: ${answer.status} ${await answer.text()}`);
    await answer.body?.cancel();
  }

  #powers(binding: D1Database): App & { payments: Payments } {
    const { origin, key, pepper, mailFrom, stripe, entitlementSecret } = this.#settings;
    return {
      product: this.#product,
      gate: { kind: "none" },
      stripeDashboard: null,
      origin,
      db: openDatabase(binding),
      network: "192.0.2.0/24",
      visits: { read: async () => ({ referral: null, signedInBy: null }), remember: async () => "" },
      mail: {
        send: async (mail) => {
          this.mails.push(mail);
          return done(null);
        },
      },
      mailFrom,
      payments: openPaymentProvider({
        ...{ key, webhookSecrets: "", apiBase: stripe },
        ...{ automaticTax: this.#product.automaticTax, billingAddress: this.#product.billingAddress },
      }),
      clock: () => this.now(),
      wallClock: Date.now,
      random: (byteCount) => crypto.getRandomValues(new Uint8Array(byteCount)),
      pepper,
      operatorToken: null,
      entitlementSecret,
      later: (work) => this.#later.push(work),
      // Its people have no time: nothing else comes meanwhile.
      pause: async () => undefined,
      report: (error) => this.reports.push(error instanceof Error ? error.message : String(error)),
      rateLimitOfForms: { limit: async () => ({ success: true }) },
      rateLimitOfApi: { limit: async () => ({ success: true }) },
      nonce: "",
      referenceId: "",
      route: { pattern: "demo" },
      diagnostics: null,
      isLocal: true,
      isTestMode: false,
      trips: { toDatabase: 0, inARow: 0 },
      isMigrated: async () => true,
    };
  }
}

/** In a play everything goes as it was written: a refusal is a mistake in it. */
export function must<Value>(result: Result<Value, { reason: string }>): Value {
  if (result.ok) return result.value;
  throw new Error(`Refused: ${JSON.stringify(result.refusal)}`);
}
