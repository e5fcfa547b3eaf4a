import type { Base } from "#app/app.ts";
import type { CancellationId } from "#app/core/id.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { readMeantOrder } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { findCancellation, matchCancellation } from "../queries.server.ts";

type MatchRefusal = { reason: "no-such-cancellation" | "no-such-order" | "cancellation-closed" };

/**
 * Says which order a declaration is about that matched nothing. The cron job cancels the plan as if it had matched, with the notice of the
 * day on which it was declared. `reason` begins with the order's number or id.
 */
export async function matchToOrder(
  { db, clock }: Pick<Base, "db" | "clock">,
  id: CancellationId,
  reason: string,
): Promise<Result<null, MatchRefusal>> {
  const [found] = await findCancellation(db, id);
  if (!found) return refused({ reason: "no-such-cancellation" });
  if (found.state !== "unmatched" || found.closedAt !== null) return refused({ reason: "cancellation-closed" });
  const meant = readMeantOrder(reason.split(/[\s,:;]/)[0] ?? "");
  if (!meant) return refused({ reason: "no-such-order" });
  const { meta } = await matchCancellation(db, id, meant, clock());
  return meta.changes === 1 ? done(null) : refused({ reason: "no-such-order" });
}
