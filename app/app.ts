import type { Trips } from "#app/db/watch-trips.server.ts";
import type { Database } from "#app/db/client.server.ts";
import type { ClientSettings } from "#workers/monitoring/rules.ts";
import type { Random } from "#app/core/id.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import type { MailTransport } from "#app/integrations/email/email-transport.server.ts";
import type { Visits } from "#app/integrations/kv/visits.server.ts";
import type { PaymentProvider } from "./integrations/stripe/payment-provider.ts";

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
  /** Stripe's test mode: every page and email says so. Not with the Stripe emulator, whose runs nobody mistakes for a shop. */
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
  rateLimitOfForms: RateLimit;
  rateLimitOfApi: RateLimit;
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
