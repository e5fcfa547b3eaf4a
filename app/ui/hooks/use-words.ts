import { createContext, useContext } from "react";
import type { Language, Words } from "#app/core/messages.ts";

export const LanguageContext = createContext<Language>("en");

export function useWords<Texts>(words: Words<Texts>): Texts {
  return words[useContext(LanguageContext)];
}
