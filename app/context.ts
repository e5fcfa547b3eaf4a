import { createContext } from "react-router";
import { isTestKey, siteOrigin } from "#app/configuration.ts";
import { countTrips, type Trips, watchTrips } from "#app/db/watch-trips.server.ts";
import { type Database, findNewestMigration, openDatabase } from "#app/db/client.server.ts";
import type { Viewer } from "#app/domain/accounts/rules.ts";
import type { Claim } from "#app/domain/accounts/session-pass.server.ts";
import { type ClientSettings, clientSettings, settingsFromEnv } from "#app/domain/diagnostics/rules.ts";
import { abbreviateNetwork } from "#app/domain/kernel/network.ts";
import { newNonce, type Random, toBase32 } from "#app/domain/kernel/id.ts";
import { secondMs } from "#app/domain/kernel/time.ts";
import { markTestMail } from "#app/domain/mail/test-mode.words.ts";
import { senderOf } from "#app/domain/mail/rules.ts";
import { loadCatalogue } from "#app/domain/product/load-catalogue.server.ts";
import { type Gate, type ProductConfig, readGate } from "#app/domain/product/rules.ts";
import { reportBug, tripWatch } from "#app/gateways/error-reporting.server.ts";
import { type MailTransport, openMailTransport } from "#app/gateways/mail-transport.server.ts";
import { openPaymentProvider, type PaymentProvider } from "#app/gateways/payment-provider.server.ts";
import { dashboardOf } from "#app/gateways/payment-provider-dashboard.ts";
import { openVisits, type Visits } from "#app/gateways/visits.server.ts";
import { product } from "#app/product.config.ts";

/** Every outside power of a request. Acts take the part they need: `Pick<App, "db" | "clock">`. */
export type App = {
  product: ProductConfig;
  gate: Gate;
  /** Our own address as configured: links in mails come from it, never from a Host header. */
  origin: string;
  db: Database;
  visits: Visits;
  mail: MailTransport;
  /** What a mail's sender line says: people look for it in their inbox. */
  mailFrom: string;
  /** Null: no keys are set, paid plans are not on sale yet. */
  payments: PaymentProvider | null;
  /** Stripe's test mode: every page and email says so. Not with the local Stripe, whose runs nobody mistakes for a shop. */
  isTestMode: boolean;
  /** Where operators see what the payment provider has, in its test mode where the key is of that; null: it is the local emulator, or there is no key. */
  stripeDashboard: string | null;
  /** Milliseconds since 1970; shifted by CLOCK_OFFSET_SECONDS in local runs and tests. */
  clock: () => number;
  /** Never shifted: what signatures carry, and which of two answers is newer. */
  wallClock: () => number;
  random: Random;
  /** Where the request comes from, abbreviated, for the activity log; null for the clock and where nobody says. */
  network: string | null;
  /** Keys every hash of a short secret and seals what waits in the outbox. */
  pepper: string;
  /** What opens the operators' calls; null: they are off. */
  operatorToken: string | null;
  /** Goes on after the answer has left; what breaks there is reported, since nobody sees it. */
  later: (work: Promise<unknown>) => void;
  /** Resolves so many milliseconds of real time later. */
  pause: (ms: number) => Promise<void>;
  /** Holds the keys that sign entitlements; devices/sign-entitlement reads it. */
  entitlementSecret: string;
  /** Tells the error reporting of a bug, with the route and this request's reference id. */
  report: (error: unknown) => void;
  floodOfForms: RateLimit;
  floodOfApi: RateLimit;
  /** For the one answer of this request: the CSP's nonce, and the id that a visitor can quote when something broke. */
  nonce: string;
  referenceId: string;
  /** What reports are grouped by: paths hold ids. Noted by whoever runs for the request (app/entry.server.tsx). */
  route: { pattern: string };
  diagnostics: ClientSettings | null;
  /** Local runs only: where mails can be read and money is played. */
  isLocal: boolean;
  /** Round trips of this request so far; counted in local runs only. */
  trips: Trips;
  /** Does the database stand as this build knows it? */
  isMigrated: () => Promise<boolean>;
};

/** A write or a read that can stand in a batch: what an act puts together. */
export type Statement = Parameters<Database["batch"]>[0][number];

/** All that the payment provider says of one customer. */
export type Billing = Extract<Awaited<ReturnType<PaymentProvider["fetchBilling"]>>, { ok: true }>["value"];

export const appContext = createContext<App>();
/** Who the session's cookie says is there; null: it isn't one of ours. Whether the session stands, the viewer tells. */
export const claimContext = createContext<Claim | null>();
/** Who is there: what the table says of the claim. */
export const viewerContext = createContext<Promise<Viewer | null>>();
/** The tables couldn't say who is there, and the page is shown as to a visitor. */
export const viewerUnknownContext = createContext(false);
/** Set behind `requireViewer` only: it holds back whatever was read for a session that is over. */
export const signedInContext = createContext<SignedIn | null>(null);
export type SignedIn = { accountId: string; viewer: Promise<Viewer> };
/** The time zone that the platform takes a request to come from, where it says so. */
export const visitorZoneContext = createContext<string | null>(null);

export const randomBytes: Random = (byteCount) => crypto.getRandomValues(new Uint8Array(byteCount));

/** For one request, or for one run of the cron trigger. */
export function createApp(
  env: Env,
  ctx: { waitUntil(work: Promise<unknown>): void },
  cause: { request: Request } | { scheduledAt: number },
): App {
  const scheduledAt = "scheduledAt" in cause ? cause.scheduledAt : undefined;
  const offsetMs = Number(env.CLOCK_OFFSET_SECONDS || 0) * secondMs;
  const clock = () => (scheduledAt ?? Date.now()) + offsetMs;
  const isLocal = !env.PUBLIC_ORIGIN.startsWith("https:");
  const trips = { toDatabase: 0, inARow: 0 };
  const watches = [isLocal ? countTrips(trips) : null, tripWatch()].filter((watch) => watch !== null);
  const db = openDatabase(watches.reduce((binding, watch) => watchTrips(binding, watch), env.DB));
  const referenceId = toBase32(randomBytes(6));
  const route = { pattern: scheduledAt === undefined ? "none" : "scheduled" };
  const mailFrom = senderOf(product, env.MAIL_FROM);
  const isTestMode = isTestKey(env.STRIPE_SECRET_KEY ?? "");
  const transport = openMailTransport(env.EMAIL, mailFrom, product.support);
  const report = (error: unknown) => reportBug(error, { routePattern: route.pattern, referenceId });
  return {
    product,
    gate: readGate(product, env.LAUNCH_GATE),
    origin: siteOrigin(env.PUBLIC_ORIGIN, "request" in cause ? cause.request.url : null),
    db,
    visits: openVisits(env.VISITS, env.VISIT_SECRET),
    mail: isTestMode ? { send: (mail) => transport.send(markTestMail(mail)) } : transport,
    isTestMode,
    mailFrom,
    payments: env.STRIPE_SECRET_KEY
      ? openPaymentProvider({
          key: env.STRIPE_SECRET_KEY,
          webhookSecrets: env.STRIPE_WEBHOOK_SECRET,
          apiBase: env.STRIPE_API_BASE,
          automaticTax: product.automaticTax,
          billingAddress: product.billingAddress,
        })
      : null,
    stripeDashboard: dashboardOf(env.STRIPE_SECRET_KEY, env.STRIPE_API_BASE),
    clock,
    wallClock: Date.now,
    random: randomBytes,
    network: "request" in cause ? abbreviateNetwork(cause.request.headers.get("CF-Connecting-IP") ?? "") : null,
    pepper: env.CODE_PEPPER,
    operatorToken: env.OPERATOR_TOKEN || null,
    entitlementSecret: env.ENTITLEMENT_SIGNING_KEY,
    later: (work) => ctx.waitUntil(work.catch(report)),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    floodOfForms: env.FLOOD_FORMS,
    floodOfApi: env.FLOOD_API,
    nonce: newNonce(randomBytes),
    referenceId,
    route,
    report,
    diagnostics: clientSettings(settingsFromEnv(env)),
    isLocal,
    trips,
    // Not among the counted trips: it is asked once, and no page's.
    isMigrated: async () => (await findNewestMigration(openDatabase(env.DB))) === import.meta.env.VITE_NEWEST_MIGRATION,
  };
}

let catalogue: ProductConfig | null = null;

/** Plans stay what they are as long as this Worker runs: read once per isolate, and not among the counted trips. */
export async function withCatalogue(app: App, env: Env): Promise<App> {
  catalogue ??= await loadCatalogue({ ...app, db: openDatabase(env.DB) });
  return catalogue ? { ...app, product: catalogue } : app;
}
