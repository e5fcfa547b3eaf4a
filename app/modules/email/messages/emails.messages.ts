import { accountEmails } from "./account-emails.messages.ts";
import { cancellationEmails } from "./cancellation-emails.messages.ts";
import { orderEmails } from "./order-emails.messages.ts";
import { planEmails } from "./plan-emails.messages.ts";
import { productEmails } from "./product-emails.messages.ts";
import { cleanFacts } from "../rules.ts";
import type { EmailContent } from "../templates.rules.ts";
import { freePlan, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Language } from "#app/core/messages.ts";
import { waitlistEmails } from "./waitlist-emails.messages.ts";
import { withdrawalEmails } from "./withdrawal-emails.messages.ts";
import type { EmailsOf, ProductFacts, EmailText } from "../texts.rules.ts";

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

const languages: EmailsOf<EmailContent> = {
  en: {
    ...accountEmails.en,
    ...waitlistEmails.en,
    ...orderEmails.en,
    ...withdrawalEmails.en,
    ...cancellationEmails.en,
    ...planEmails.en,
    ...productEmails.en,
  },
};

/** Below an email of a kind that isn't switched off in the settings. */
export const unsubscribeText: Record<Language, { label: string }> = { en: { label: "Unsubscribe" } };

export type Written = EmailText & { language: Language };

/** The text of an email in a language; the compiler checks that every language has every email. */
export function emailTextOf(content: EmailContent, names: ProductFacts, language: Written["language"] = "en"): Written {
  const write = languages[language][content.template] as (content: EmailContent, names: ProductFacts) => EmailText;
  return { ...write(cleanFacts(content), names), language };
}
