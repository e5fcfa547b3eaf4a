import type { Trips } from "#app/db/watch-trips.server.ts";
import type { Database } from "#app/db/database.server.ts";
import type { ClientSettings } from "#workers/monitoring/rules.ts";
import type { Challenge } from "#app/core/challenge.ts";
import type { Embed } from "#app/core/embed.ts";
import type { Random } from "#app/core/id.ts";
import type { RateLimiter } from "#app/core/rate-limiter.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import type { EmailServiceName } from "#app/integrations/email/email-services.ts";
import type { EmailTransport } from "#app/integrations/email/email-transport.ts";
import type { ReturnsReader } from "#app/integrations/email/returns/email-returns.ts";
import type { Visits } from "#app/integrations/kv/visits.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import type { Messages } from "#app/core/messages.ts";
import type { EmailNames, EmailsOf } from "#app/modules/email/texts.rules.ts";
import type { FeatureHooks } from "./feature.ts";
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
  /** What features do within the core's own work. */
  features: readonly FeatureHooks[];
  gate: Gate;
  /** The site's configured address: links in emails use it, never a Host header. */
  origin: string;
  /** In Stripe's test mode every page and email says so. False with the Stripe emulator, whose runs can't be mistaken for a shop. */
  isTestMode: boolean;
  /** Whether customers use the site: its environment is named `production`, or it has a live key. */
  isProduction: boolean;
  isLocal: boolean;
  /** Where a local run's emails are read. Null without the emulator, and on every deployed site. */
  mailbox: string | null;
  /** Operators switch it on, for example while the database is restored. Nothing is then read, written or sent. */
  isUnderMaintenance: boolean;
};

export type Secrets = {
  /** Keys every hash of a short secret and encrypts pending rows in the outbox. */
  pepper: string;
  /** Contains the keys that sign entitlements; billing/entitlements reads it. */
  entitlementSecret: string;
  /** The token for operators' calls. Null disables them. */
  operatorToken: string | null;
  /** The names of secrets that look guessable, for operators. Never their values. */
  weakSecrets: () => string[];
};

/** Sending emails, and other work after the response. */
export type Outbox = {
  email: EmailTransport;
  emailService: EmailServiceName;
  /** Reads what the email service reports about emails that came back. Null if the service isn't set up to report. */
  returns: ReturnsReader | null;
  /** The texts of every email, which modules and features write beside its cause. */
  emailTexts: EmailsOf<EmailContent>;
  /** What the list of sent emails calls each of them. */
  emailNames: Messages<EmailNames<EmailContent>>;
  /** The sender's name in emails: people look for it in their inbox. */
  emailSender: string;
  /** Continues after the response has been sent. Errors are reported, since no response can show them. */
  later: (work: Promise<unknown>) => void;
  /** Reports a bug, with the route and this request's reference id. */
  report: (error: unknown) => void;
};

export type PaymentAccess = {
  /** Null while no keys are set: paid plans aren't on sale yet. */
  payments: PaymentProvider | null;
  /** The address of Stripe's dashboard for operators, in test mode with a test key. Null with the local emulator, or without a key. */
  stripeDashboard: string | null;
  /** Real time, never shifted: for signatures, and to tell which of two responses is newer. */
  wallClock: () => number;
  /** Resolves after that many milliseconds of real time. */
  pause: (ms: number) => Promise<void>;
};

export type RequestScope = {
  /**
   * Opens the copy of the database that is nearest, for reads alone: a session of D1 without a bookmark, so that its first read may be answered by
   * any replica, and later ones by nothing older. It lags behind `db`, mostly by less than a second, but without a limit. Only for what may
   * be old, by a rule that says how old; never for what the same request writes. Without read replication it is `db`.
   */
  openReplica: () => Database;
  /** The request's abbreviated address, for the activity log. Null for cron jobs, and where the platform doesn't report one. */
  network: string | null;
  /** The nonce in the response's content security policy. Undefined for cron jobs. */
  nonce: string | undefined;
  /** The id a visitor can quote for an error. */
  referenceId: string;
  /** The pattern that reports are grouped by, since paths contain ids. The request's own code sets it (app/routes/note-route.ts). */
  route: { pattern: string };
  /** What this page loads from other companies: its tags, and what its policy allows. The code that decides to load something adds it. */
  embeds: Embed[];
  visits: Visits;
  /** Checks that a suspicious visitor is a person. Null if no feature does. */
  challenge: Challenge | null;
  rateLimitOfForms: RateLimiter;
  rateLimitOfApi: RateLimiter;
  diagnostics: ClientSettings | null;
  /** The round trips that this request has made so far. They are counted in local runs only. */
  trips: Trips;
  /** Whether the database has the schema that this build expects. */
  isMigrated: () => Promise<boolean>;
};

/** Every external dependency of a request, in groups. A module's function asks for the groups that it needs, or for up to three members. */
export type App = Base & Site & Secrets & Outbox & PaymentAccess & RequestScope;

/** Everything Stripe reports about one customer. */
export type { Billing } from "#app/integrations/stripe/billing.ts";
