import { addressOf } from "./address.ts";
import { changing } from "./changing.ts";
import { guests } from "./guests.ts";
import { moneyBack } from "./money-back.ts";
import { owing } from "./owing.ts";
import type { Chapter } from "./play.ts";
import { subscribers } from "./subscribers.ts";
import { waiting } from "./waiting.ts";

/** Those of a list, "mara,jonas"; with an empty one all. Whoever came by a friend needs that friend. */
export function castOf(names: string): Chapter[] {
  const addresses = new Set(names.split(",").map(addressOf));
  if (names === "") return chapters;
  return chapters.map((chapter) => ({
    ...chapter,
    people: chapter.people.filter(({ address }) => addresses.has(address)),
  }));
}

/** Everybody, a chapter after the other. */
export const chapters: Chapter[] = [
  { title: "Their plan runs", people: subscribers },
  { title: "Their plan is to begin, to change or to end", people: changing },
  { title: "Their payment failed", people: owing },
  { title: "Their money went back", people: moneyBack },
  { title: "They come and go", people: guests },
  { title: "They wait in line", people: waiting },
];
