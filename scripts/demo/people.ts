import { changing } from "./changing.ts";
import { guests } from "./guests.ts";
import { moneyBack } from "./money-back.ts";
import { owing } from "./owing.ts";
import type { Chapter } from "./play.ts";
import { subscribers } from "./subscribers.ts";

/** Everybody, a chapter after the other. */
export const chapters: Chapter[] = [
  { title: "Their plan runs", people: subscribers },
  { title: "Their plan is to begin, to change or to end", people: changing },
  { title: "Their payment failed", people: owing },
  { title: "Their money went back", people: moneyBack },
  { title: "They come and go", people: guests },
];
