import { createContext, useContext } from "react";
import type { Language, Messages } from "#app/core/messages.ts";

export const LanguageContext = createContext<Language>("en");

export function useMessages<Texts>(messages: Messages<Texts>): Texts {
  return messages[useContext(LanguageContext)];
}
