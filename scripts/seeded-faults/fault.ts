/** A realistic mistake: `find` occurs once in `file`, and `tests` are the tests that must detect it. */
export type Fault = { name: string; file: string; find: string; replace: string; suite: Suite; tests: string };
/** `simulate`: five minutes of `npm run simulate`, seed by seed. */
export type Suite = "unit" | "integration" | "http" | "simulate";
