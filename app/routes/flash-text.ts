import { features } from "#app/features.ts";
import { type FlashName, flashMessages } from "#app/http/page/flash.messages.ts";

/** What a flash's cookie stands for. Null for a word that no action writes. */
export function flashText(name: string | null): { name: FlashName; text: string } | null {
  const texts = [flashMessages, ...features.flatMap(({ flashes }) => flashes ?? [])].map(
    ({ en }) => new Map(Object.entries(en)),
  );
  const text = texts.map((each) => each.get(name ?? "")).find((found) => found !== undefined);
  // A word with a text is a name.
  return text === undefined ? null : { name: name as FlashName, text };
}
