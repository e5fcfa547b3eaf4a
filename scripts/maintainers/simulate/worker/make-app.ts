import type { App } from "#app/app.ts";
import { openDatabase } from "#app/db/database.server.ts";
import { watchTrips } from "#app/db/watch-trips.server.ts";
import { openPaymentProvider } from "#app/integrations/stripe/payment-provider.server.ts";
import { emailNames, emailTexts } from "#app/emails.ts";
import { hooks } from "#app/features.server.ts";
import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import { isTaxedByStripe, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Process } from "./process.ts";
import { stripeOrigin } from "./stripe-line.ts";
import type { PostOffice } from "./post-office.ts";
import type { WorldFaults } from "./world-faults.ts";
import type { SeededRandom } from "../seeded-random.ts";
import type { SeededScheduler } from "./seeded-scheduler.ts";

export type WorldEnv = { DB: D1Database; ENTITLEMENT_SIGNING_KEY: string };
type Payments = NonNullable<App["payments"]>;
/** `settle` waits until what was deferred has happened. */
export type WorldApp = App & { payments: Payments; settle: () => Promise<void> };

/** What an app needs of the world. */
type Surroundings = {
  readonly product: ProductConfig;
  readonly scheduler: SeededScheduler;
  readonly random: SeededRandom;
  callsToDatabase: number;
  now: () => number;
  readonly post: PostOffice;
  readonly faults: WorldFaults;
  report: (process: Process, error: unknown) => void;
};

export const origin = "http://localhost:8787";
export const webhookSecret = "local-stripe-webhook-secret";
/** The site's `App` for one run of the Worker: its calls are those of the process. */
export function makeApp(process: Process, world: Surroundings, env: WorldEnv, gate: Gate): WorldApp {
  const watch = <Answer>(_statements: readonly string[], makeTrip: () => Promise<Answer>): Promise<Answer> => {
    world.callsToDatabase += 1;
    return process.call(() =>
      world.scheduler.call(() => {
        const worldFault = world.faults.takeDatabaseFault(world.random);
        return process.callDatabase(makeTrip, { worldFault, now: world.now() });
      }),
    );
  };
  const config = world.product;
  const db = openDatabase(watchTrips(env.DB, watch));
  return {
    product: config,
    hooks,
    emailTexts,
    emailNames,
    gate,
    stripeDashboard: null,
    origin,
    db,
    openReplica: () => db,
    network: "192.0.2.0/24",
    visits: { read: async () => ({ referral: null, signedInBy: null }), remember: async () => "" },
    email: { send: (email) => process.call(async () => world.post.send(process, email)) },
    emailService: "cloudflare",
    returns: null,
    emailSender: "Simulation <hello@simulated.example>",
    payments: openPaymentProvider({
      key: `local-${process.id}`,
      webhookSecrets: webhookSecret,
      apiBase: stripeOrigin,
      automaticTax: isTaxedByStripe(config),
      billingAddress: config.billingAddress,
      waiting: { chance: () => world.random.next(), now: () => world.now(), pause: async () => undefined },
    }),
    clock: () => world.now(),
    wallClock: () => world.now(),
    random: (byteCount) => crypto.getRandomValues(new Uint8Array(byteCount)),
    pepper: "the simulation's pepper has at least 32 letters",
    operatorToken: null,
    weakSecrets: () => [],
    entitlementSecret: env.ENTITLEMENT_SIGNING_KEY,
    later: (work) => process.defer(work.catch((error: unknown) => world.report(process, error))),
    pause: async () => undefined,
    report: (error) => world.report(process, error),
    rateLimitOfForms: { limit: async () => ({ success: true }) },
    rateLimitOfApi: { limit: async () => ({ success: true }) },
    nonce: "",
    referenceId: "",
    route: { pattern: "simulation" },
    diagnostics: null,
    isLocal: true,
    mailbox: null,
    isUnderMaintenance: false,
    isTestMode: false,
    trips: { toDatabase: 0, inARow: 0 },
    isMigrated: async () => true,
    embeds: [],
    challenge: null,
    isProduction: false,
    settle: () => process.settled(),
  };
}
