import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { findStreak } from "#app/modules/accounts/codes/quotas.queries.server.ts";
import { listUses } from "#app/modules/accounts/codes/quota-uses.queries.server.ts";
import { type Code, checkTry } from "#app/modules/accounts/codes/rules.ts";
import { findCode } from "#app/modules/accounts/codes/queries.server.ts";
import type { CodeProofRefusal } from "../proof.rules.ts";
import { refused, type Result } from "#app/core/result.ts";

/** Why the right code couldn't be used up: another request used it first, the quota ran out meanwhile, or `otherwise`. */
export async function explainUnusedCode(
  app: Pick<App, "db" | "clock">,
  code: Code,
  tries: string,
  otherwise: CodeProofRefusal = { reason: "code-used" },
): Promise<Result<never, CodeProofRefusal>> {
  const now = app.clock();
  const { rows, uses, streaks } = await batchNamed(app.db, {
    rows: findCode(app.db, code.id, code.browserHash),
    uses: listUses(app.db, tries, now),
    streaks: findStreak(app.db, tries),
  });
  const [row] = rows;
  const quota = { triedAts: uses.map((use) => use.usedAt), pausedUntil: streaks[0]?.pausedUntil ?? null };
  return refused(checkTry(row ?? null, quota, now) ?? otherwise);
}
