import type { Visitor } from "#tests/support/clients/visitor.ts";
import type { RunningSite } from "./running-site.ts";

/** What was confirmed to a user before the site was killed, in a word: it has to be true afterwards. */
export type Promised = { what: string; who: string };

export type Person = { address: string; random: () => number; promise: (what: string, who?: string) => void };

/** What a visitor does in one go. */
export type Way = (site: RunningSite, person: Person) => Promise<void>;

export type Step = { name: string; take: () => Promise<{ status: number; text: string }> };

/** What a feature's visitors are in the middle of: the steps that finish it, and how often it is finished afterwards, which has to be once. */
export type Unfinished = { steps: Step[]; finished: () => Promise<number> };

/** As the page shows itself to a browser without scripts. */
export async function shown(visitor: Promise<Visitor>) {
  const { status, html } = await visitor;
  return { status, text: html };
}
