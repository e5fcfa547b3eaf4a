import type { App } from "#app/app.ts";
import type { Result } from "#app/core/result.ts";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import type { FeatureHealth } from "#app/core/feature-health.ts";
import type { Site } from "#tests/support/site/site.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

/** Anything that answers a query with all of its rows: a D1 binding, or the file of one that isn't in use. */
export type Query = (query: string) => Promise<Record<string, unknown>[]>;

export type FormSample = { path: string; good: Record<string, string>; malformed: Record<string, string> };

/** `name`: as the challenge knows it. `leadsTo`: a glob of the page after it. */
export type AddressForm = {
  path: string;
  name: string;
  fields: Record<string, string>;
  texts: { email: string; submit: string; missing: string };
  leadsTo: string;
};

/** What the suites that try everything there is have to know of a feature: its forms, calls and rows. */
export type FeatureSamples = {
  /** As in `app/features.ts`. */
  name: string;
  /** Addresses that only its visitors know, each for `{…}` in the paths of scenes. */
  addresses?(site: Site): Promise<Record<string, string>>;
  /** Public forms that email an address that anyone typed. */
  addressForms?: readonly AddressForm[];
  /** Sends such a form; it refuses with a reason like the core's. */
  asksByEmail?(app: App, address: EmailAddress, ip: string): Promise<Result<unknown, { reason: string }>>;
  /** Lets an address through the gate that is shut, as the page shows it that accepts the invitation. */
  passGate?(site: Site, visitor: Visitor, address: string, emailsBefore: number): Promise<Visitor>;
  /** Settings that switch it off. */
  off: Partial<ProductConfig>;
  /** Tables whose rows are removed when their account is erased. */
  erasedTables: readonly string[];
  /** Tables of the site, not of an account. */
  siteTables?: readonly string[];
  /** Queries for one account that depend on all, by name, each with the reason. */
  amongOthers?: Readonly<Record<string, string>>;
  /** Rows of an account named by `mark`, by table, where those that the schema gives won't do. */
  rows?(mark: string): Record<string, Record<string, string | number | null>[]>;
  /** What benches insert for each of many people, as SQL after `insert into`. `account` and `at` are expressions over a table `nth`. */
  crowd?(account: string, at: string): string[];
  /** Queries for JSON that isn't JSON, by table. */
  malformedJson?: readonly string[];
  /** Rows that violate what its rules promise, by the promise. */
  brokenIn?(books: Query): Promise<Record<string, unknown[]>>;
  /** Forms of the settings, each with fields it accepts and fields it can't. */
  forms: readonly FormSample[];
  /** What its forms' schemas are made from, if from neither the product nor the field of an address. */
  schemaArguments?: readonly unknown[];
  /** Values that its fields accept, where none of the usual ones fits. */
  fieldSamples?: readonly string[];
  /** Bodies of its calls of the product API that are accepted, by method and path; each `nth` has another one. */
  callBodies?: Readonly<Record<string, (nth: number) => object>>;
  /** The names that generated clients have for its calls. */
  operations?: readonly string[];
  /** What operators read of a site that uses it and is well. */
  health?: FeatureHealth;
  /** Reasons of refusals that need no message. */
  silentRefusals?: readonly string[];
  /** Settings with something of each kind, so that the API has all of its calls. */
  settings?: Partial<ProductConfig>;
  /** What only the sample product's settings of this feature contain, and a pattern for it. */
  sampleWords?: [what: string, pattern: RegExp];
  /** Values of its settings that the pairwise configs combine. */
  factors?: Readonly<Record<string, Readonly<Record<string, Partial<ProductConfig> | null>>>>;
};
