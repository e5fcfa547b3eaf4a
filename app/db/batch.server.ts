import type { Database } from "./database.server.ts";

/** A write or a read that can be part of a batch: what a command composes. */
export type Statement = Parameters<Database["batch"]>[0][number];

/** Under each name one statement, or several whose results are an array under that name. */
type Statements = Record<string, Statement | readonly Statement[]>;

type ResultOf<Part> = Part extends readonly Statement[]
  ? { -readonly [At in keyof Part]: Awaited<Part[At]> }
  : Awaited<Part>;

/** What a batch returns, under the names of its statements. */
export type ResultsOf<Named> = { -readonly [Name in keyof Named]: ResultOf<Named[Name]> };

/**
 * Runs the statements in their order as one D1 batch: all or nothing, in one round trip. Results are read by name, never by
 * position, so that a statement can be added or moved without another being read in its place.
 */
export async function batchNamed<const Named extends Statements>(
  db: Pick<Database, "batch">,
  statements: Named,
): Promise<ResultsOf<Named>> {
  // `Object.values` forgets what a tuple of statements contains.
  const [first, ...others] = Object.values(statements).flat() as Statement[];
  const results: unknown[] = first ? await db.batch([first, ...others]) : [];
  let read = 0;
  const next = (): unknown => results[read++];
  const named = Object.entries(statements).map(([name, part]) => [
    name,
    Array.isArray(part) ? part.map(() => next()) : next(),
  ]);
  // `Object.fromEntries` forgets the names.
  return Object.fromEntries(named) as ResultsOf<Named>;
}
