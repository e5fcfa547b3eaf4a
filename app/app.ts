import type { Trips } from "#app/db/watch-trips.server.ts";
import type { Database } from "#app/db/database.server.ts";
import type { ClientSettings } from "#workers/monitoring/rules.ts";
import type { Embed } from "#app/core/embed.ts";
import type { Random } from "#app/core/id.ts";
import type { RateLimiter } from "#app/core/rate-limiter.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import type { Captcha } from "#app/integrations/captcha/captcha.ts";
import type { EmailServiceName } from "#app/integrations/email/email-services.ts";
import type { EmailTransport } from "#app/integrations/email/email-transport.ts";
import type { ReturnsReader } from "#app/integrations/email/returns/email-returns.ts";
import type { Visits } from "#app/integrations/kv/visits.server.ts";
import type { PaymentProvider } from "./integrations/stripe/payment-provider.ts";

/** What nearly every command needs: the database, the time, and randomness for ids. */
export type Base = {
  db: Database;
  /** Milliseconds since 1970; shifted by CLOCK_OFFSET_SECONDS in local runs and tests. */
  clock: () => number;
  random: Random;
};

/** The product and where it runs. */
export type Site = {
  product: ProductConfig;
  gate: Gate;
  /** The site's configured address: links in emails use it, never a Host header. */
  origin: string;
  /** Stripe's test mode: every page and email says so. Not with the Stripe emulator, whose runs can't be mistaken for a shop. */
  isTestMode: boolean;
  /** Customers use it: its environment is named `production`, or it has a live key. */
  isProduction: boolean;
  /** Local runs only: where emails can be read and payments simulated. */
  isLocal: boolean;
  /** Switched on by operators, for example while the database is restored: nothing is read, written or sent. */
  isUnderMaintenance: boolean;
};

export type Secrets = {
  /** Keys every hash of a short secret and encrypts pending rows in the outbox. */
  pepper: string;
  /** Contains the keys that sign entitlements; devices/sign-entitlement reads it. */
  entitlementSecret: string;
  /** The token for operators' calls; null: they are disabled. */
  operatorToken: string | null;
  /** Names of secrets that look guessable, for operators; never a value. */
  weakSecrets: () => string[];
};

/** Sending emails, and other work after the response. */
export type Outbox = {
  email: EmailTransport;
  emailService: EmailServiceName;
  /** What the email service reports about emails that came back; null: it isn't set up to. */
  returns: ReturnsReader | null;
  /** The sender name of emails: people look for it in their inbox. */
  emailSender: string;
  /** Continues after the response has been sent; errors are reported, since no response can show them. */
  later: (work: Promise<unknown>) => void;
  /** Reports a bug, with the route and this request's reference id. */
  report: (error: unknown) => void;
};

export type PaymentAccess = {
  /** Null: no keys are set, so paid plans are not on sale yet. */
  payments: PaymentProvider | null;
  /** Stripe's dashboard for operators, in test mode with a test key; null: Stripe is the local emulator, or there is no key. */
  stripeDashboard: string | null;
  /** Never shifted: for signatures, and for which of two responses is newer. */
  wallClock: () => number;
  /** Resolves after that many milliseconds of real time. */
  pause: (ms: number) => Promise<void>;
};

/** Of this request alone. */
export type RequestScope = {
  /** The request's abbreviated address, for the activity log; null for cron jobs and where the platform doesn't report one. */
  network: string | null;
  /** The CSP's nonce of this request's response; undefined for cron jobs. */
  nonce: string | undefined;
  /** The id a visitor can quote for an error. */
  referenceId: string;
  /** What reports are grouped by, since paths contain ids. Set by the code that runs for the request (app/routes/note-route.ts). */
  route: { pattern: string };
  /** What this page loads from other companies: its tags, and what its policy allows. Added by what decides to load it. */
  embeds: Embed[];
  visits: Visits;
  /** Checks that a visitor is a person; null: CAPTCHA_SERVICE names none. */
  captcha: Captcha | null;
  rateLimitOfForms: RateLimiter;
  rateLimitOfApi: RateLimiter;
  diagnostics: ClientSettings | null;
  /** Round trips of this request so far; counted in local runs only. */
  trips: Trips;
  /** Does the database have the schema this build expects? */
  isMigrated: () => Promise<boolean>;
};

/** Every external dependency of a request, in groups. A function of a module asks for the groups it needs, or for up to three members. */
export type App = Base & Site & Secrets & Outbox & PaymentAccess & RequestScope;

/** Everything Stripe reports about one customer. */
export type { Billing } from "#app/integrations/stripe/billing.ts";
