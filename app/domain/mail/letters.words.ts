import { accountLetters } from "./account-letters.words.ts";
import { orderLetters } from "./order-letters.words.ts";
import { planLetters } from "./plan-letters.words.ts";
import { productLetters } from "./product-letters.words.ts";
import { cleanFacts, type Letter } from "./rules.ts";
import { freePlan, type ProductConfig } from "#app/domain/product/rules.ts";
import type { Language } from "#app/ui/language.ts";
import { waitlistLetters } from "./waitlist-letters.words.ts";

/** What letters say of the product beside their own facts. */
export type Names = Pick<ProductConfig, "support" | "lockedMeans"> & { product: string; hasFreePlan: boolean };

export function namesOf(product: ProductConfig): Names {
  const { name, support, lockedMeans } = product;
  return { product: name, support, lockedMeans, hasFreePlan: freePlan(product) !== null };
}

/** One mail as blocks of words; the layout around them is `render-letter.ts`. */
export type Words = {
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

export type WordsFor<Some extends Letter> = {
  [Template in Some["template"]]: (letter: Extract<Some, { template: Template }>, names: Names) => Words;
};

/** A kind of letters in every language; the compiler asks each of their modules for a second one. */
export type LettersOf<Some extends Letter> = Record<Language, WordsFor<Some>>;

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
