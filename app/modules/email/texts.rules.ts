/** Lists the parts that the text of an email has. Called from the texts of each module and from `render-email.ts`. */
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { EmailContent } from "./templates.rules.ts";
import type { Language } from "#app/core/messages.ts";

/** What emails say about the product, in addition to their own facts. */
export type ProductFacts = Pick<ProductConfig, "support" | "lockedMeans" | "dataWhenSmaller" | "dataWhenClosed"> & {
  product: string;
  /** Where a paid plan ends. Null if there is no free plan. */
  free: { name: string; points: readonly string[] } | null;
};

/** The text of an email in blocks; `render-email.ts` adds the layout. */
export type EmailText = {
  subject: string;
  heading: string;
  /** The first is also the preview text that an inbox shows beside the subject. */
  before: string[];
  code?: string;
  receipt?: EmailReceipt;
  button?: { label: string; url: string };
  after: string[];
  /** A secondary link below the text. */
  more?: { label: string; url: string };
  /** Why the user gets this email: the last line of each. */
  reason: string;
  /** Where emails of this kind are switched off; absent for required emails. */
  off?: { label: string; url: string };
};

/** Whether a subject may say this fact: eight digits in a subject are a code, not part of a plan's name. */
export function fitsSubject(fact: string | null | undefined): fact is string {
  return Boolean(fact) && !/\d{8}/.test(fact ?? "");
}

/** What was paid for, how it adds up, and who paid whom. */
export type EmailReceipt = {
  title: string;
  lines: { what: string; period: string | null; amount: string }[];
  sums: { label: string; amount: string }[];
  total: { label: string; amount: string };
  notes: string[];
  parties: { label: string; lines: string[] }[];
};

export type EmailTextFor<Some extends EmailContent> = {
  [Template in Some["template"]]: (content: Extract<Some, { template: Template }>, names: ProductFacts) => EmailText;
};

/** The texts of a group of templates in every language; the compiler requires all of them. */
export type EmailsOf<Some extends EmailContent> = Record<Language, EmailTextFor<Some>>;

/** What the list of sent emails calls each of a group of templates. */
export type EmailNames<Some extends EmailContent> = Record<Some["template"], string>;
