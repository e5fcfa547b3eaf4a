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
  /** What plans limit of it by number: the name of the limit in the config, and the page of the settings where they are chosen from. */
  counted?: { limit: string; path: string };
  /** Where in its pages the key is that a step of getting started needs. */
  keyPath?: string;
  /** Where in its pages the owner sees what is used. */
  usagePath?: string;
  variables?: FeatureVariables;
  messages: Messages<FeatureTexts>;
};

type FeatureTexts = {
  /** Of each page its name in the menu, and what the overview says of it on a phone, by how many there are of what plans limit. */
  pages: Readonly<Record<string, { menu: string; brief: string | ((count: number) => string) }>>;
  counted?: CountedTexts;
  /** What is said after its actions, by the word in a cookie; their names are declared in `Flashes`. */
  flashes: Readonly<Record<string, string>>;
  /** How sentences name what it stores of a customer: "Your account, orders, …, in one file", "we erase your name, …". */
  data: Record<"exported" | "erased", readonly string[]>;
  /** Sections of the privacy notice. */
  privacy?: (facts: PrivacyFacts) => { title: string; text: (string | string[])[] }[];
};

export type CountedTexts = {
  label: string;
  /** More are used than a plan has that is chosen or follows. */
  excess(plan: string, used: string, limit: string): string;
  /** More are used than the plan has. `until` is null until the owner has been emailed the day. */
  overTitle: string;
  over(used: number, plan: string, limit: number, until: string | null): string;
  choose: string;
  /** Some are left, and there is no plan. */
  idleTitle: string;
  idle(used: number, product: string): string;
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
  exported?(db: Database, id: AccountId): Statement | Readonly<Record<string, Statement>>;
  /** What operators find an account by, and see of it under the feature's name. */
  found?: {
    /** Of ids, and whose they are. */
    prefix: string;
    ownerOf(id: string): SQL;
    /** The ids of accounts that have something with this in its name. */
    named(name: { typed: string; capitals: string }, limit: number): SQL;
    rows(db: Database, id: AccountId): Statement;
  };
};

/** A statement of one row. `reducedAt` is when those beyond the plan are removed, once that is announced. */
export type CountStatement = Statement & PromiseLike<{ used: number; reducedAt: number | null }[]>;
