import type { Messages } from "#app/core/messages.ts";
import type { ConfigProblem } from "#app/modules/catalogue/config-problems.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

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
  publicPages?: readonly PublicPage[];
  gate?: GatePages;
  /** Pages about emails that a mailbox can stop, by their subject in `OptionalEmails`. */
  optionalEmails?: Readonly<Record<string, StoppedEmails>>;
  variables?: FeatureVariables;
  messages: Messages<FeatureTexts>;
};

type FeatureTexts = {
  /** Of each page its name in the menu, and what the overview says of it on a phone, by how many there are of what plans limit. */
  pages: Readonly<Record<string, { menu: string; brief: string | ((count: number) => string) }>>;
  counted?: CountedTexts;
  /** What is said after its actions, by the word in a cookie; their names are declared in `Flashes`. */
  flashes: Readonly<Record<string, string>>;
  /** What the activity log says of its actions, by name (`FeatureActivities`): done, or tried, and why they were refused. */
  activities?: Record<"did" | "tried" | "reasons", Readonly<Record<string, string>>>;
  /** How sentences name what it stores of a customer: "Your account, orders, …, in one file", "we erase your name, …". */
  data: Record<"exported" | "erased", readonly string[]>;
  /** What the privacy notice says that it stores of an account, a paragraph each. */
  ofAccount?: readonly string[];
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

/** A page that isn't part of the settings. */
type PublicPage = Pick<SettingsPage, "file" | "about" | "isFixed"> & {
  /** Without a slash before it. */
  path: string;
};

/** Where people wait at a gate that is shut, and what the core's pages say of it. At most one feature has it. */
export type GatePages = {
  path: string;
  /** Nobody else can wait. */
  isFull(product: ProductConfig): boolean;
  messages: Messages<GateTexts>;
};

type Refusal = { title: string; text: string; link: string };

type GateTexts = {
  /** Within a sentence: "the forms for signing up and …". */
  name: string;
  footer: string;
  landing: {
    join: string;
    joinNote: string;
    /** If nobody else can wait. */
    full: string;
    fullNote: string;
    plan: { join(plan: string): string; chip: string; full: string };
  };
  /** Instead of the form to sign up. Its links lead to the page where one waits, except for `full`. */
  signUp: Record<"shut" | "full" | "over" | "waiting" | "unknown", Refusal> & {
    /** Of a plan, in "… is by invitation only for now. …". */
    plan: { join(plan: string): { before: string; link: string; after: string }; full: string };
  };
  plans: { join: string; own: string; chip: string; ownChip: string; full: string };
  overview: { label: string; waits(what: string): string };
};

/** What is said of emails that are stopped by their link, and where their owner can have them again. */
export type StoppedEmails = {
  path: string;
  messages: Messages<{
    /** In "Stop emails …?" */
    about: string;
    ask: string;
    done: string;
    link: string;
    /** In the settings. */
    notice: Refusal;
  }>;
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
