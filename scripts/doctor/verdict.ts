import type { Answered, Unasked } from "./facts.ts";

/** What a check says in a line and, for a problem, its fix in a sentence. */
export type Verdict =
  | { state: "ok"; text: string }
  | { state: "problem"; text: string; fix: string }
  | { state: "not checked"; text: string };

export const ok = (text: string): Verdict => ({ state: "ok", text });
export const problem = (text: string, fix: string): Verdict => ({ state: "problem", text, fix });
export const notChecked = (text: string): Verdict => ({ state: "not checked", text });

/** Decides if the answer is known. Otherwise says what it needs. */
export function about<Known extends object>(answered: Answered<Known>, decide: (known: Known) => Verdict): Verdict {
  return isUnasked(answered) ? notChecked(answered.unasked) : decide(answered);
}

export function isUnasked(answered: object): answered is Unasked {
  return "unasked" in answered;
}
