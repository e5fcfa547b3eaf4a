/**
 * Decides whether the database is restricted to a jurisdiction. Invariant: it is decided when a database is created and can't be changed.
 * Called from `checks.ts`.
 */
import type { SiteFacts } from "./facts.ts";
import { about, ok, problem, type Verdict } from "./verdict.ts";

export function checkJurisdiction({ jurisdiction: stored }: SiteFacts): Verdict {
  return about(stored, ({ database, jurisdiction }) =>
    jurisdiction === null
      ? problem(
          `${database} may be stored anywhere`,
          "Create a database with `--jurisdiction eu` before there is data, or leave this check out: `--skip jurisdiction`.",
        )
      : ok(`${database} is stored in ${jurisdiction}`),
  );
}
