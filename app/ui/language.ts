import { createContext, useContext } from "react";

/** Languages that every words module has; the compiler asks each of them for a second one. */
export const languages = ["en"] as const;
export type Language = (typeof languages)[number];

/** The texts of one page or mail, in every language. */
export type Words<Texts> = Record<Language, Texts>;

export const LanguageContext = createContext<Language>("en");

export function useWords<Texts>(words: Words<Texts>): Texts {
  return words[useContext(LanguageContext)];
}
