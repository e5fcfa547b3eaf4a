/** Writes the text of an email from its facts, in blocks. Called when it is delivered or previewed; `render-email.ts` adds the layout. */
import type { Language } from "#app/core/messages.ts";
import { freePlan, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { cleanFacts } from "./rules.ts";
import type { EmailContent } from "./templates.rules.ts";
import type { EmailsOf, EmailText, ProductFacts } from "./texts.rules.ts";

export function productFactsOf(product: ProductConfig): ProductFacts {
  const { name, support, lockedMeans, dataWhenSmaller, dataWhenClosed } = product;
  return {
    product: name,
    support,
    lockedMeans,
    dataWhenSmaller,
    dataWhenClosed,
    free: freePlan(product),
  };
}

export type Written = EmailText & { language: Language };

/** The text of an email in a language, from the texts of all emails. */
export function emailTextOf(
  texts: EmailsOf<EmailContent>,
  content: EmailContent,
  names: ProductFacts,
  language: Language = "en",
): Written {
  const write = texts[language][content.template] as (content: EmailContent, names: ProductFacts) => EmailText;
  return { ...write(cleanFacts(content), names), language };
}
