/**
 * Decides whether the database is in the config's jurisdiction. Invariant: it is decided when a database is created and can't be changed.
 * Called from `checks.ts`.
 */
import type { SiteFacts } from "./facts.ts";
import { about, ok, problem, type Verdict } from "./verdict.ts";

export function checkJurisdiction({ jurisdiction: stored, wantedJurisdiction: wanted }: SiteFacts): Verdict {
  return about(stored, ({ database, jurisdiction }) => {
    const where = jurisdiction === null ? "may be stored anywhere" : `is stored in ${jurisdiction}`;
    if (jurisdiction === wanted) return ok(`${database} ${where}`);
    const setting = wanted === null ? "the config names no jurisdiction" : `the config says ${wanted}`;
    const create = wanted === null ? "without `--jurisdiction`" : `with \`--jurisdiction ${wanted}\``;
    return problem(
      `${database} ${where}, and ${setting}`,
      `Correct \`jurisdiction\` in the config, or create a database ${create} before there is data; \`--skip jurisdiction\` leaves this check out.`,
    );
  });
}
