/** A realistic mistake: `find` occurs once in `file`. */
export type Mutant = { name: string; file: string; find: string; replace: string } &
  /** `tests` must detect it. */
  (
    | { suite: "unit" | "integration" | "http"; tests: string }
    /** Five minutes of `npm run simulate`, seed by seed. `by`: the invariant that must be violated, and no other. */
    | { suite: "simulate"; by: string }
  );
export type Suite = Mutant["suite"];
