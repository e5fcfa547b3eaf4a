import { accountLetters } from "./account-emails.messages.ts";
import { orderLetters } from "./order-emails.messages.ts";
import { planLetters } from "./plan-emails.messages.ts";
import { productLetters } from "./product-emails.messages.ts";
import { cleanFacts, type Letter } from "../rules.ts";
import { freePlan, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Language } from "#app/core/messages.ts";
import { waitlistLetters } from "./waitlist-emails.messages.ts";
import type { LettersOf, Names, Words } from "#app/modules/email/texts.rules.ts";

export function namesOf(product: ProductConfig): Names {
  const { name, support, lockedMeans } = product;
  return { product: name, support, lockedMeans, hasFreePlan: freePlan(product) !== null };
}

const languages: LettersOf<Letter> = {
  en: {
    ...accountLetters.en,
    ...waitlistLetters.en,
    ...orderLetters.en,
    ...planLetters.en,
    ...productLetters.en,
  },
};

export type Written = Words & { language: Language };

/** The words of a letter in a language; every language has every letter, held by the compiler. */
export function wordsFor(letter: Letter, names: Names, language: Written["language"] = "en"): Written {
  const write = languages[language][letter.template] as (letter: Letter, names: Names) => Words;
  return { ...write(cleanFacts(letter), names), language };
}
