/** A realistic mistake: `find` occurs once in `file`, and `tests` are the tests that must detect it. */
export type Mutant = { name: string; file: string; find: string; replace: string; tests: string } & (
  | { suite: "unit" | "integration" | "http" }
  /** Five minutes of `npm run simulate`, seed by seed. `by`: the invariant that must be violated, and no other. */
  | { suite: "simulate"; by: string }
);
export type Suite = Mutant["suite"];
