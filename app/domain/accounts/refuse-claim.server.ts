import type { App } from "#app/context.ts";
import { findStreak } from "#app/domain/codes/budgets.store.server.ts";
import { listUses } from "#app/domain/codes/uses.store.server.ts";
import { type Code, judgeTry } from "#app/domain/codes/rules.ts";
import { findCode, readCode } from "#app/domain/codes/store.server.ts";
import { refused, type Result } from "#app/domain/kernel/result.ts";
import type { ProofRefusal } from "./prove-address.server.ts";

/** The code was right but not ours to use any more: somebody was faster, the budget was gone by then, or what `otherwise` says. */
export async function refuseClaim(
  app: Pick<App, "db" | "clock">,
  code: Code,
  tries: string,
  otherwise: ProofRefusal = { reason: "code-used" },
): Promise<Result<never, ProofRefusal>> {
  const now = app.clock();
  const [rows, uses, streaks] = await app.db.batch([
    findCode(app.db, code.id, code.browserHash),
    listUses(app.db, tries, now),
    findStreak(app.db, tries),
  ]);
  const [row] = rows;
  const budget = { triedAts: uses.map((use) => use.usedAt), pausedUntil: streaks[0]?.pausedUntil ?? null };
  return refused(judgeTry(row ? readCode(row) : null, budget, now) ?? otherwise);
}
