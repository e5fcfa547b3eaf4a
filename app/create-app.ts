import { listWeakSecrets, mailboxOf, siteOrigin } from "#app/configuration.ts";
import { countTrips, watchTrips } from "#app/db/watch-trips.server.ts";
import type { DatabaseBinding } from "#app/db/wrap-database.server.ts";
import { findNewestMigration, openDatabase } from "#app/db/database.server.ts";
import { clientSettings, settingsFromEnv } from "#workers/monitoring/rules.ts";
import { abbreviateNetwork } from "#app/core/network.ts";
import { type Random, toBase32 } from "#app/core/id.ts";
import { secondMs } from "#app/core/time/time.ts";
import { markTestEmail } from "#app/modules/email/messages/test-mode.messages.ts";
import { type EmailSender, showEmailSender } from "#app/core/text/email-sender.ts";
import { senderOf } from "#app/modules/email/rules.ts";
import { loadCatalogue } from "#app/modules/catalogue/commands/load-catalogue.server.ts";
import { isTaxedByStripe, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { readGate } from "#app/modules/catalogue/gate.rules.ts";
import { reportBug } from "#app/integrations/sentry/report-bug.server.ts";
import { tripWatch } from "#app/integrations/sentry/trip-watch.server.ts";
import { chosenEmailService } from "#app/integrations/email/email-services.ts";
import { openChosenSender } from "#app/integrations/email/open-chosen-sender.server.ts";
import type { OutgoingEmail } from "#app/integrations/email/email-transport.ts";
import { openEmailTransport } from "#app/integrations/email/open-email-transport.server.ts";
import { withholdReserved } from "#app/integrations/email/withhold-reserved.ts";
import { openReturnsReader } from "#app/integrations/email/returns/open-returns-reader.server.ts";
import { loadPaymentProvider } from "#app/integrations/stripe/load-payment-provider.server.ts";
import { dashboardOf, isTestKey } from "#app/integrations/stripe/keys.ts";
import { openVisits } from "#app/integrations/kv/visits.server.ts";
import { product } from "#app/product/config.ts";
import { emailNames, emailTexts } from "#app/emails.ts";
import { featureServers, hooks } from "#app/features.server.ts";
import { type App, gatekeeperOf, type Secrets } from "#app/app.ts";

export const randomBytes: Random = (byteCount) => crypto.getRandomValues(new Uint8Array(byteCount));

/** For one request, or for one run of the cron trigger. */
export function createApp(
  env: Env,
  ctx: { waitUntil(work: Promise<unknown>): void },
  invocation: { request: Request; nonce: string } | { scheduledAt: number },
): App {
  const scheduledAt = "scheduledAt" in invocation ? invocation.scheduledAt : undefined;
  const offsetMs = Number(env.CLOCK_OFFSET_SECONDS || 0) * secondMs;
  const clock = () => (scheduledAt ?? Date.now()) + offsetMs;
  const isLocal = !env.PUBLIC_ORIGIN.startsWith("https:");
  const trips = { toDatabase: 0, inARow: 0 };
  const watches = [isLocal ? countTrips(trips) : null, tripWatch()].filter((watch) => watch !== null);
  const open = (from: DatabaseBinding) =>
    openDatabase(watches.reduce((binding, watch) => watchTrips(binding, watch), from));
  const db = open(env.DB);
  const referenceId = toBase32(randomBytes(6));
  const route = { pattern: scheduledAt === undefined ? "none" : "scheduled" };
  const emailSender = senderOf(product, env.MAIL_FROM);
  const isTestMode = isTestKey(env.STRIPE_SECRET_KEY ?? "");
  const isProduction = !isLocal && isForCustomers(env);
  const report = (error: unknown) => reportBug(error, { routePattern: route.pattern, referenceId });
  const origin = siteOrigin(env.PUBLIC_ORIGIN, "request" in invocation ? invocation.request.url : null);
  return {
    product,
    hooks,
    gate: gatekeeperOf({ hooks }) ? readGate(product, env.LAUNCH_GATE) : { kind: "none" },
    origin,
    db,
    openReplica: () => open(env.DB.withSession("first-unconstrained")),
    visits: openVisits(env.VISITS, env.VISIT_SECRET),
    email: openEmail(env, emailSender, { isTestMode, isLocal, isProduction }),
    emailService: chosenEmailService(env.EMAIL_SERVICE),
    returns: openReturnsReader(env, Date.now),
    isTestMode,
    isProduction,
    emailTexts,
    emailNames,
    emailSender: showEmailSender(emailSender),
    payments: openPayments(env, report),
    stripeDashboard: dashboardOf(env.STRIPE_SECRET_KEY, env.STRIPE_API_BASE),
    clock,
    wallClock: Date.now,
    random: randomBytes,
    network:
      "request" in invocation ? abbreviateNetwork(invocation.request.headers.get("CF-Connecting-IP") ?? "") : null,
    ...secretsOf(env),
    later: (work) => ctx.waitUntil(work.catch(report)),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    challenge: featureServers.map((feature) => feature.openChallenge?.(env, origin, report)).find(Boolean) ?? null,
    rateLimitOfForms: env.RATE_LIMIT_FORMS,
    rateLimitOfApi: env.RATE_LIMIT_API,
    nonce: "nonce" in invocation ? invocation.nonce : undefined,
    referenceId,
    route,
    embeds: [],
    report,
    diagnostics: clientSettings(settingsFromEnv(env)),
    isLocal,
    mailbox: mailboxOf(env),
    isUnderMaintenance: Boolean(env.MAINTENANCE),
    trips,
    // Not counted as a round trip: it is checked once, not per page.
    isMigrated: async () => (await findNewestMigration(openDatabase(env.DB))) === import.meta.env.VITE_NEWEST_MIGRATION,
  };
}

function openPayments(env: Env, report: App["report"]): App["payments"] {
  if (!env.STRIPE_SECRET_KEY) return null;
  return loadPaymentProvider({
    key: env.STRIPE_SECRET_KEY,
    webhookSecrets: env.STRIPE_WEBHOOK_SECRET,
    apiBase: env.STRIPE_API_BASE,
    automaticTax: isTaxedByStripe(product),
    billingAddress: product.billingAddress,
    report,
  });
}

function secretsOf(env: Env): Secrets {
  return {
    pepper: env.CODE_PEPPER,
    operatorToken: env.OPERATOR_TOKEN || null,
    entitlementSecret: env.ENTITLEMENT_SIGNING_KEY,
    weakSecrets: () => listWeakSecrets(env),
  };
}

function isForCustomers(env: Env): boolean {
  const hasLiveKey = Boolean(env.STRIPE_SECRET_KEY) && !isTestKey(env.STRIPE_SECRET_KEY);
  return hasLiveKey || settingsFromEnv(env).environment === "production";
}

function openEmail(env: Env, emailSender: EmailSender, site: Pick<App, "isTestMode" | "isLocal" | "isProduction">) {
  const service = openEmailTransport(openChosenSender(env), emailSender, product.support);
  // The mailbox of a local run takes any address.
  const transport = site.isLocal ? service : withholdReserved(service, site.isProduction);
  return site.isTestMode ? { send: (email: OutgoingEmail) => transport.send(markTestEmail(email)) } : transport;
}

let catalogue: ProductConfig | null = null;

/** Adds the former plans, which don't change while this Worker runs: read once per isolate, and not counted as a round trip. */
export async function withCatalogue(app: App, env: Env): Promise<App> {
  catalogue ??= await loadCatalogue({ ...app, db: openDatabase(env.DB) });
  return catalogue ? { ...app, product: catalogue } : app;
}
