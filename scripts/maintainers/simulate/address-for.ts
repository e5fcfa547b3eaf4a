import type { SeededRandom } from "./seeded-random.ts";

/** A new person's address. It may be another spelling of an earlier mailbox: a plus tag, or dots where the provider ignores them. */
export function addressFor(random: SeededRandom, name: string, before: string[]): string {
  const word = (random.chance(0.25) && before.length > 0 ? random.pick(before) : name)
    .toLowerCase()
    .replaceAll(" ", "");
  const tag = random.chance(0.5) ? `+${random.below(5)}` : "";
  if (random.chance(0.6)) {
    const dotted = random.chance(0.5) ? `${word.slice(0, 1)}.${word.slice(1)}` : word;
    return `${dotted}${tag}@${random.chance(0.2) ? "googlemail.com" : "gmail.com"}`;
  }
  return `${word}${tag}@${random.chance(0.3) ? `${word}.example` : "mail.example"}`;
}
