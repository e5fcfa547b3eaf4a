/** Lists the parts that the text of an email has. Called from the texts in `messages` and from `render-email.ts`. */
import type { EmailContent } from "./templates.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Language } from "#app/core/messages.ts";

/** What emails say about the product besides their own facts. */
export type Names = Pick<ProductConfig, "support" | "lockedMeans"> & { product: string; hasFreePlan: boolean };

/** The text of an email in blocks; `render-email.ts` adds the layout. */
export type EmailText = {
  subject: string;
  heading: string;
  /** The first is also the preview text that an inbox shows beside the subject. */
  before: string[];
  code?: string;
  button?: { label: string; url: string };
  after: string[];
  /** A secondary link below the text. */
  more?: { label: string; url: string };
  /** Why the user gets this email: the last line of each. */
  reason: string;
  /** Where emails of this kind are switched off; absent for required emails. */
  off?: { label: string; url: string };
};

export type EmailTextFor<Some extends EmailContent> = {
  [Template in Some["template"]]: (content: Extract<Some, { template: Template }>, names: Names) => EmailText;
};

/** The texts of a group of templates in every language; the compiler requires all of them. */
export type EmailsOf<Some extends EmailContent> = Record<Language, EmailTextFor<Some>>;
