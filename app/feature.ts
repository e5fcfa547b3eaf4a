import type { Challenge } from "#app/core/challenge.ts";
import type { FeatureHealth } from "#app/core/feature-health.ts";
import type { AccountId } from "#app/core/id.ts";
import type { Messages } from "#app/core/messages.ts";
import type { Statement } from "#app/db/batch.server.ts";
import type { Database } from "#app/db/database.server.ts";
import type { ConfigProblem } from "#app/modules/catalogue/config-problems.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { SQL } from "drizzle-orm";

/**
 * What a feature adds. A feature is a folder of `app/features` that a product can do without; the core knows these types and the lists
 * (`features.ts`, `features.server.ts`), never a feature. docs/guides/start-with-less.md removes one.
 */
export type Feature = {
  name: string;
  /** Features that it can't be without, and may import. */
  needs?: readonly string[];
  /** Whether the product uses it. If not, its pages are in no menu and no sitemap, and nothing mentions it. */
  isOn(product: ProductConfig): boolean;
  /** What is wrong with its settings in the config. */
  checkConfig?(product: ProductConfig): ConfigProblem[];
  settingsPages?: readonly SettingsPage[];
  variables?: FeatureVariables;
  messages: Messages<FeatureTexts>;
};

type FeatureTexts = {
  /** Of each page its name in the menu, and what the overview says of it on a phone. */
  pages: Readonly<Record<string, { menu: string; brief: string }>>;
  /** What is said after its actions, by the word in a cookie; their names are declared in `Flashes`. */
  flashes: Readonly<Record<string, string>>;
  /** How sentences name what it stores of a customer: "Your account, orders, …, in one file", "we erase your name, …". */
  data: Record<"exported" | "erased", readonly string[]>;
  /** Sections of the privacy notice. */
  privacy?: (facts: PrivacyFacts) => { title: string; text: (string | string[])[] }[];
};

export type PrivacyFacts = {
  /** Who checks that a suspicious visitor is a person. Null if no one does. */
  challenge: string | null;
  /** The forms that email an address that anyone typed, as a sentence names them. */
  addressForms: string;
};

/** Variables and secrets that a feature reads, by name. */
type FeatureVariables = {
  /** Those that a deployment sets. */
  deployed: readonly string[];
  secrets: readonly string[];
  /** Those that only local runs and tests may set. */
  localOnly: readonly string[];
  /** Those that what is chosen needs. `text` reads a variable. */
  needed(text: (name: string) => string): readonly string[];
  /** What is wrong with them, one sentence each. */
  problems(text: (name: string) => string, isProduction: boolean): string[];
};

/** A page of the settings, in the part of the menu that has the product's name. */
type SettingsPage = {
  /** Its path is `/settings/{segment}/{path}`. */
  path: string;
  /** The route's file, below `app`. */
  file: string;
  /** For the list of routes in docs/reference. */
  about: string;
  /** Whether its path is part of the contract with the outside. */
  isFixed: boolean;
};

/** What the Worker does for a feature within the core's own work. */
export type FeatureHooks = {
  name: string;
  /** Its part of what operators read about the site. */
  health?(running: { challenge: Challenge | null }): FeatureHealth;
  /** What plans limit of it by number: the name of the limit in the config, and how many an account has. */
  counted?: { limit: string; count(db: Database, id: AccountId): CountStatement };
  /** A subquery for the sources whose reports of usage no longer count. */
  retiredSources?(account: AccountId | SQL<string | null>): SQL;
  /** Statements that erase an account's rows, each under `guard`, in the batch that erases the account. */
  erase?(db: Database, account: { id: AccountId; guard: SQL }): Statement[];
  /** Its part of the data export, under its own name: rows of a statement that runs with the others, without hashes, keys or other people's data. */
  exported?(db: Database, id: AccountId): Statement;
};

/** A statement of one row. */
export type CountStatement = Statement & PromiseLike<{ used: number }[]>;
