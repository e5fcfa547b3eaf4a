import { expect } from "vitest";
import { type RawAnswer, releaseTogether } from "#tests/support/clients/last-byte-requests.ts";
import type { Prepared } from "#tests/support/clients/visitor.ts";
import type { Site } from "#tests/support/site/site.ts";

/**
 * What forty requests do at the same moment to an account identified by `mark`; it throws when a promise was broken.
 */
export type Race = { name: string; run: (site: Site, mark: string) => Promise<void> };

export const crowd = 40;

export async function together(site: Site, requests: Prepared[]): Promise<RawAnswer[]> {
  const answers = await releaseTogether(site.origin, requests);
  for (const { status, text } of answers) {
    if (status === 0 || status === 500) throw new Error(`Answered with ${status}:\n${text.slice(0, 2000)}`);
  }
  return answers;
}

/** The same request forty times. */
export function forty(site: Site, request: Prepared): Promise<RawAnswer[]> {
  return together(
    site,
    Array.from({ length: crowd }, () => request),
  );
}

/** Where the accepted ones lead, as far as the first `?`, and how often. */
export function ledTo(answers: RawAnswer[]): Record<string, number> {
  const taken = answers.filter(({ status }) => status === 303);
  return countBy(taken.map(({ headers }) => (headers.get("Location") ?? "").replace(/\?.*/, "")));
}

export function statuses(answers: RawAnswer[]): Record<string, number> {
  return countBy(answers.map(({ status }) => String(status)));
}

/** The others were refused with a reason: with this status, in this text. */
export function expectRefused(answers: RawAnswer[], status: number, message: string): void {
  const refused = answers.filter((answer) => answer.status !== 303);
  for (const answer of refused)
    expect([answer.status, textOf(answer)]).toEqual([status, expect.stringContaining(message)]);
}

/** What a visitor reads of an answer. */
export function textOf({ text }: Pick<RawAnswer, "text">): string {
  return text
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");
}

function countBy(items: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[item] = (counts[item] ?? 0) + 1;
  return counts;
}

/** One figure from the database; `?1` is the address or id. */
export async function count(site: Site, from: string, about: string): Promise<number> {
  const row = await (await site.database()).prepare(`select count(*) as n from ${from}`).bind(about).first<number>("n");
  return row ?? 0;
}

/** An account's rows, as one object of figures. */
export async function figures<Name extends string>(
  site: Site,
  about: string,
  questions: Record<Name, string>,
): Promise<Record<Name, number>> {
  const names = Object.keys(questions) as Name[];
  const counted = await Promise.all(names.map((name) => count(site, questions[name], about)));
  // The keys are those above.
  return Object.fromEntries(names.map((name, index) => [name, counted[index]])) as Record<Name, number>;
}

/** The account behind an address, in a query. */
export const own = "(select id from accounts where email_canonical = ?1)";
