import type { App } from "#app/context.ts";
import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import { contestWithdrawal, findWithdrawal } from "./withdrawals.store.server.ts";

export type ContestRefusal = { reason: "no-such-withdrawal" } | { reason: "withdrawal-closed" };

/** Whoever looks after withdrawals finds that this one doesn't hold (too late, no such contract). Money that went back stays so. */
export async function contestWithdrawalOf(
  app: Pick<App, "db" | "clock">,
  id: string,
): Promise<Result<null, ContestRefusal>> {
  const [[row], contested] = await app.db.batch([
    findWithdrawal(app.db, id),
    contestWithdrawal(app.db, id, app.clock()),
  ]);
  if (!row) return refused({ reason: "no-such-withdrawal" });
  return contested.meta.changes === 1 ? done(null) : refused({ reason: "withdrawal-closed" });
}
