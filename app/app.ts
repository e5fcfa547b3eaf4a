import type { Trips } from "#app/db/watch-trips.server.ts";
import type { Statement } from "#app/db/batch.server.ts";
import type { Database } from "#app/db/database.server.ts";
import type { Owned } from "#app/db/owned-rows.server.ts";
import type { ClientSettings } from "#workers/monitoring/rules.ts";
import type { Challenge } from "#app/core/challenge.ts";
import type { FeatureHealth } from "#app/core/feature-health.ts";
import type { Embed } from "#app/core/embed.ts";
import type { AccountId, EntryId, Random } from "#app/core/id.ts";
import type { Messages } from "#app/core/messages.ts";
import type { RateLimiter } from "#app/core/rate-limiter.ts";
import type { Result } from "#app/core/result.ts";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { AdmitRefusal, Gate, ShownInvitation } from "#app/modules/catalogue/gate.rules.ts";
import type { EmailServiceName } from "#app/integrations/email/email-services.ts";
import type { EmailTransport } from "#app/integrations/email/email-transport.ts";
import type { ReturnsReader } from "#app/integrations/email/returns/email-returns.ts";
import type { Visits } from "#app/integrations/kv/visits.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import type { EmailNames, EmailsOf } from "#app/modules/email/texts.rules.ts";
import type { PaymentProvider } from "./integrations/stripe/payment-provider.ts";
import type { SQL } from "drizzle-orm";

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
  /** What modules and features do within the core's own work. */
  hooks: readonly Hooks[];
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

/**
 * What modules and features do within the core's own work, named after what happens. The statements that they return are part of the core's
 * batch, each under its `guard`.
 */
export type Hooks = {
  name: string;
  /** Its part of what operators read about the site. */
  health?(running: { challenge: Challenge | null }): FeatureHealth;
  /** What plans limit of it by number: the name of the limit in the config, and how many an account has. */
  counted?: { limit: string; count(db: Database, id: AccountId): CountStatement };
  /** A subquery for the sources whose reports of usage no longer count. */
  retiredSources?(account: AccountId | SQL<string | null>): SQL;
  /** Statements that erase an account's rows: those by its id, and those by an address that it had, from before it left that. */
  erase?(db: Database, account: { id: AccountId; addresses: Owned[]; now: number; guard: SQL }): Statement[];
  /** Its part of the data export, under its own name: rows of a statement that runs with the others, without hashes, keys or other people's data. */
  exported?(db: Database, id: AccountId): Statement | Readonly<Record<string, Statement>>;
  /** An account has another address. */
  addressChanged?(db: Database, change: { from: string; to: Address; guard: SQL }): Statement[];
  /** An email to the address came back. */
  emailReturned?(db: Database, returned: { address: string; kind: "bounced" | "complained"; guard: SQL }): Statement[];
  /** An address that was proven has a new account. */
  signedUp?(app: App, id: AccountId): Promise<void>;
  /** A payment of the account was reconciled. */
  paid?(app: App, id: AccountId): Promise<void>;
  /** A select of the ids that an address has here besides its account's: emails to them are its owner's, too. */
  recipientsAt?(address: SQL): SQL;
  /** Emails to many at once that it may queue in a minute. */
  emailsPerMinute?(product: ProductConfig): number;
  optionalEmails?: OptionalEmails;
  bringers?: Bringers;
  gatekeeper?: Gatekeeper;
  operators?: OperatorHooks;
  /** What operators find an account by, and see of it under the hook's name. */
  found?: {
    /** Of ids, and whose they are. */
    prefix: string;
    ownerOf(id: string): SQL;
    /** The ids of accounts that have something with this in its name. */
    named(name: { typed: string; capitals: string }, limit: number): SQL;
    rows(db: Database, id: AccountId): Statement;
  };
};

type Address = Pick<EmailAddress, "original" | "canonical">;

/** A statement that reads, and its rows. */
type Rows<Row> = Statement & PromiseLike<Row[]>;

/** A statement of one row. `reducedAt` is when those beyond the plan are removed, once that is announced. */
export type CountStatement = Rows<{ used: number; reducedAt: number | null }>;

/** Who brought an address here before it had an account: selects whose `address` is an expression. */
export type Bringers = {
  /** Rows `(id, brought_by, at)`: what the address asked for, the address that brought it, if one did, and when. */
  requestsOf(product: ProductConfig, address: SQL): SQL;
  /** Rows `(address, at)`: whom the address brought, and when. */
  broughtBy(product: ProductConfig, address: SQL): SQL;
};

/** Emails that a mailbox can stop by their link, besides those that an account switches off. */
export type OptionalEmails = {
  /** What the link stops: part of it, and of the page behind it. */
  subject: string;
  templates: readonly string[];
  /** Stops them for an account, or for an id of `recipientsAt`. */
  stop(db: Database, recipient: AccountId | EntryId): Statement;
  /** A row if they are stopped. */
  findStopped(db: Database, recipient: AccountId | EntryId): Rows<unknown>;
  /** A row if the owner of an account has to be told that they stopped them. */
  findStoppedBy(db: Database, id: AccountId): Rows<unknown>;
};

/** Lets people through the gate by invitation. At most one feature does; without one there is no gate. */
export type Gatekeeper = {
  /** A condition: the address may sign up now although sign-up is shut. */
  admits(address: string, now: number): SQL;
  /** Whether the address was ever invited to sign up. */
  findInvitation(db: Database, address: string): Rows<{ invitations: number }>;
  /** The gates at which an account waits, as the config spells them, and whether it may pass them now. */
  listPasses(db: Database, id: AccountId, now: number): Rows<{ gate: string; isInvited: boolean }>;
  /** What the sign-up form says about the invitation with this token. */
  showInvitation(app: App, token: string): Promise<ShownInvitation>;
  /** Whether this address may ask for a code to sign up; `entryId` is its invitation's. */
  checkAdmission(
    app: App,
    token: string | undefined,
    address: EmailAddress,
  ): Promise<Result<{ entryId?: EntryId }, AdmitRefusal>>;
  /** The token of an invitation, for its link. */
  invitationToken(app: App, id: EntryId): Promise<string>;
};

/** What operators get to see. */
export type OperatorHooks = {
  /** What is known of an address, under the hook's name, with what needs attention and what waits for a decision, a line each. */
  person(app: Pick<App, "db">, address: string): Promise<{ rows: object[]; attention: string[]; undecided: string[] }>;
  /** Figures, under the hook's name. */
  numbers(db: Database): Rows<object>;
  /** Pages of what waits for a decision, by the name of the list, each from a cursor on. */
  reviewLists: Readonly<
    Record<
      string,
      (
        app: Pick<App, "db">,
        after: string | undefined,
      ) => Promise<Result<{ rows: object[]; total: number; next: string | null }, { reason: "cursor-unknown" }>>
    >
  >;
};

export function gatekeeperOf({ hooks }: Pick<Site, "hooks">): Gatekeeper | null {
  return hooks.find(({ gatekeeper }) => gatekeeper)?.gatekeeper ?? null;
}

/** Everything Stripe reports about one customer. */
export type { Billing } from "#app/integrations/stripe/billing.ts";
