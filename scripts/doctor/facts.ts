import type { EmailServiceName } from "#app/integrations/email/email-services.ts";
import type { Health } from "#app/modules/operators/health.rules.ts";

/** Why something couldn't be asked, and what is needed for it, as the end of a sentence. */
export type Unasked = { unasked: string };

export type Answered<Known> = Known | Unasked;

/** A page as a browser gets it. `nonce` is that of its content security policy. */
export type SeenPage = { path: string; html: string; nonce: string | null };

/** Everything that was gathered about a site, by one gatherer each. */
export type SiteFacts = {
  origin: string;
  isLocal: boolean;
  /** In milliseconds. The site has its own clock (`checkedAt` of its health). */
  now: number;
  home: Answered<{
    status: number;
    headers: readonly { name: string; sent: string | null; wanted: string }[];
    /** The site's own address, as its home page says. */
    canonical: string | null;
  }>;
  pages: readonly SeenPage[];
  /** Addresses of the scripts in the config's `thirdParties`. */
  declaredScripts: readonly string[];
  plainHttp: Answered<{ status: number; location: string | null }>;
  tls: Answered<{ protocol: string; problem: string | null; validToAt: number; oldProtocol: string | null }>;
  /** The response's status to an event without a signature. */
  webhookStatus: Answered<{ status: number }>;
  health: Answered<{ status: number; health: Health | null }>;
  newestMigration: string;
  isTokenWeak: boolean;
  dns: Answered<DnsFacts>;
  stripe: Answered<StripeFacts>;
  jurisdiction: Answered<{ database: string; jurisdiction: string | null }>;
  /** The config's jurisdiction. Null if the config leaves it to Cloudflare. */
  wantedJurisdiction: string | null;
};

/** The records of the sender's domain that its email service documents. */
export type DnsFacts = {
  domain: string;
  service: EmailServiceName;
  spf: Answered<DnsRecord>;
  dkim: Answered<DnsRecord>;
  dmarc: DnsRecord;
};

/** TXT records of one kind, and the names at which they were looked for. */
export type DnsRecord = { names: readonly string[]; found: readonly string[] };

export type StripeFacts = {
  isTestKey: boolean;
  endpoints: Answered<{ status: string; apiVersion: string | null; events: readonly string[] }[]>;
  /** Events older than an hour that weren't delivered to every endpoint. */
  undelivered: Answered<{ count: number; newestAt: number | null }>;
  /** Names of the payment methods that are on. */
  paymentMethods: Answered<string[]>;
  /** How prices differ from the config's, a sentence each, and how many are sold. */
  prices: Answered<{ sold: number; differences: readonly string[] }>;
  /** Stripe's words for why the key may not read a bank's warnings of fraud, or which invoice was paid. Null if it may. */
  fraudWarnings: Answered<{ refusal: string | null }>;
};
