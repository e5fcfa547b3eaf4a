import type { Base } from "#app/app.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { sessionIsActive } from "#app/modules/accounts/sessions.queries.server.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import type { ReasonGiven } from "../cancellation-reasons.rules.ts";
import { changeReason } from "../cancellation-reasons.queries.server.ts";

export type ReasonRefusal = { reason: "nothing-cancelled" };

/** Stores why the viewer cancelled. Asked again, their last answer counts. Refused if none of their plans is cancelled or ended lately. */
export async function answerCancellationReason(
  { db, clock }: Pick<Base, "db" | "clock">,
  { account, session }: Viewer,
  { reason, comment }: ReasonGiven,
): Promise<Result<null, ReasonRefusal>> {
  const answer = { accountId: account.id, reason, comment, now: clock() };
  const { given } = await batchNamed(db, { given: changeReason(db, answer, sessionIsActive(session)) });
  return given.meta.changes === 1 ? done(null) : refused({ reason: "nothing-cancelled" });
}
