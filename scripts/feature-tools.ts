import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import type { Scene } from "./gallery/scene.ts";
import type { GallerySite } from "./gallery/sites.ts";
import type { Bench } from "../bench/table.ts";
import type { Command } from "./ops/command.ts";
import type { Row } from "./ops/table.ts";
import type { SiteFacts } from "./doctor/facts.ts";
import type { Verdict } from "./doctor/verdict.ts";

/** What the commands know of a feature. */
export type FeatureTools = {
  /** As in `app/features.ts`. */
  name: string;
  /** Words that nothing but this feature uses, as patterns: none may remain when it is removed. */
  words: readonly string[];
  /** Scenes of its pages for the gallery: with the tests' accounts, and with the demo's people. */
  scenes: {
    ofTestAccounts: readonly Scene<TestAccount>[];
    ofDemo: readonly Scene[];
  };
  /** A site of its own for the gallery, where scenes need more than an account. */
  site?: { open: () => Promise<GallerySite>; scenes: readonly Scene[] };
  /** Checks of the doctor. */
  checks?: Readonly<Record<string, (facts: SiteFacts) => Verdict>>;
  /** What rows mean to operators that a restored database lacks, by table. */
  lostRows: Readonly<Record<string, string>>;
  /** Pages with a picture for link previews: the path by the name of the picture, and what the config says of what they show. */
  pictures?: { paths: Readonly<Record<string, string>>; facts(product: ProductConfig): object };
  /** Settings of the core that mean nothing without it. */
  settings?: readonly string[];
  operators?: {
    commands: Readonly<Record<string, Command>>;
    /** What a field has to be, by the problem with it. */
    fields: Readonly<Record<string, string>>;
    /** What the customer sees on its page, by the page in the answer. */
    previews: Readonly<Record<string, (page: never) => string>>;
    /** Its part of a person. */
    person(person: Row): { title: string; rows: Row[] };
  };
  /** By the name in `npm run bench -- NAME`. */
  benches?: Readonly<Record<string, () => Promise<Bench>>>;
  /** Its emails: the title of their part in the previews, and their texts. */
  emails?: { title: string; texts: object };
  docs?: {
    /** Settings with something of each kind, named in braces, for the reference of the API. */
    settings: Partial<ProductConfig>;
    /** The row for fields that the config names. */
    namedField: { name: string; accepts: string };
  };
};

/** At least one sample of each of a feature's emails, or a module's; several where the text depends on the facts. */
export type EmailSamples<Some extends EmailContent> = {
  [Template in Some["template"]]: [Extract<Some, { template: Template }>, ...Extract<Some, { template: Template }>[]];
};

type TestAccount = "nobody" | "new" | "paid" | "equipped" | "leaving";
