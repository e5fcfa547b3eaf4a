import type { Trips } from "#app/db/watch-trips.server.ts";
import type { Database } from "#app/db/client.server.ts";
import type { ClientSettings } from "#workers/monitoring/rules.ts";
import type { Random } from "#app/core/id.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import type { MailTransport } from "#app/integrations/email/email-transport.server.ts";
import type { Visits } from "#app/integrations/kv/visits.server.ts";
import type { PaymentProvider } from "./integrations/stripe/payment-provider.ts";

/** Every external dependency of a request. Commands take the part they need: `Pick<App, "db" | "clock">`. */
export type App = {
  product: ProductConfig;
  gate: Gate;
  /** The site's configured address: links in emails use it, never a Host header. */
  origin: string;
  db: Database;
  visits: Visits;
  mail: MailTransport;
  /** The sender name of emails: people look for it in their inbox. */
  mailFrom: string;
  /** Null: no keys are set, so paid plans are not on sale yet. */
  payments: PaymentProvider | null;
  /** Stripe's test mode: every page and email says so. Not with the Stripe emulator, whose runs can't be mistaken for a shop. */
  isTestMode: boolean;
  /** Stripe's dashboard for operators, in test mode with a test key; null: Stripe is the local emulator, or there is no key. */
  stripeDashboard: string | null;
  /** Milliseconds since 1970; shifted by CLOCK_OFFSET_SECONDS in local runs and tests. */
  clock: () => number;
  /** Never shifted: for signatures, and for which of two responses is newer. */
  wallClock: () => number;
  random: Random;
  /** The request's abbreviated address, for the activity log; null for cron jobs and where the platform doesn't report one. */
  network: string | null;
  /** Keys every hash of a short secret and encrypts pending rows in the outbox. */
  pepper: string;
  /** The token for operators' calls; null: they are disabled. */
  operatorToken: string | null;
  /** Continues after the response has been sent; errors are reported, since no response can show them. */
  later: (work: Promise<unknown>) => void;
  /** Resolves after that many milliseconds of real time. */
  pause: (ms: number) => Promise<void>;
  /** Contains the keys that sign entitlements; devices/sign-entitlement reads it. */
  entitlementSecret: string;
  /** Reports a bug, with the route and this request's reference id. */
  report: (error: unknown) => void;
  rateLimitOfForms: RateLimit;
  rateLimitOfApi: RateLimit;
  /** For this request's response: the CSP's nonce, and the id a visitor can quote for an error. */
  nonce: string;
  referenceId: string;
  /** What reports are grouped by, since paths contain ids. Set by the code that runs for the request (app/entry.server.tsx). */
  route: { pattern: string };
  diagnostics: ClientSettings | null;
  /** Local runs only: where emails can be read and payments simulated. */
  isLocal: boolean;
  /** Round trips of this request so far; counted in local runs only. */
  trips: Trips;
  /** Does the database have the schema this build expects? */
  isMigrated: () => Promise<boolean>;
};

/** Everything Stripe reports about one customer. */
export type Billing = Extract<Awaited<ReturnType<PaymentProvider["fetchBilling"]>>, { ok: true }>["value"];
