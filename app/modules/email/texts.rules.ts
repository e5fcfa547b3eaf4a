import type { EmailContent } from "./templates.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Language } from "#app/core/messages.ts";

/** What letters say of the product beside their own facts. */
export type Names = Pick<ProductConfig, "support" | "lockedMeans"> & { product: string; hasFreePlan: boolean };

/** One mail as blocks of words; the layout around them is `render-email.ts`. */
export type EmailText = {
  subject: string;
  heading: string;
  /** The first of them is also what an inbox shows beside the subject. */
  before: string[];
  code?: string;
  button?: { label: string; url: string };
  after: string[];
  /** A way that few take, below what is said. */
  more?: { label: string; url: string };
  /** Why this mail came: the last line of every one. */
  reason: string;
  /** Where mails of this kind are switched off; those without are needed. */
  off?: { label: string; url: string };
};

export type EmailTextFor<Some extends EmailContent> = {
  [Template in Some["template"]]: (content: Extract<Some, { template: Template }>, names: Names) => EmailText;
};

/** A kind of letters in every language; the compiler asks each of their modules for a second one. */
export type EmailsOf<Some extends EmailContent> = Record<Language, EmailTextFor<Some>>;
