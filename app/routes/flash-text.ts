import { features } from "#app/features.ts";
import { type FlashName, flashMessages } from "#app/http/page/flash.messages.ts";

/** What a flash's cookie stands for. Null for a word that no action writes. */
export function flashText(name: string | null): { name: FlashName; text: string } | null {
  const texts: Readonly<Record<string, string>>[] = [
    flashMessages.en,
    ...features.map(({ messages }) => messages.en.flashes),
  ];
  for (const [word, text] of texts.flatMap((each) => Object.entries(each))) {
    // A word with a text is a name.
    if (word === name) return { name: word as FlashName, text };
  }
  return null;
}
