import type { Letter } from "#app/modules/email/rules.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { type Powers, qualifyReferral } from "./qualify-referral.server.ts";
import { decideDiscount, refuseWithReview } from "../discounts.queries.server.ts";
import { voidRefused } from "../open-discount.queries.server.ts";
import { tellDiscount } from "./give-discount.server.ts";
import { decideReview, findReferral } from "../reviews.queries.server.ts";

type DecisionRefusal = { reason: "referral-unknown" } | { reason: "not-under-review" };

/** Which of the two was decided, and what the friend was emailed about it. */
export type Decided = { of: "sign-up" | "discount"; email: { to: string; letter: Letter } | null };

/**
 * An operator has looked at a sign-up of a burst, or at a friend's discount: it goes on like any other, or counts for nothing. Once; with
 * the reason, which stays with the referral or the discount.
 */
export async function decideReferral(
  app: Powers,
  id: string,
  decision: { verdict: "approve" | "void"; reason: string },
): Promise<Result<Decided, DecisionRefusal>> {
  const { db } = app;
  const now = app.clock();
  const [referral] = await findReferral(db, id);
  if (!referral) return refused({ reason: "referral-unknown" });
  const { verdict, reason } = decision;
  const change =
    verdict === "approve"
      ? ({ to: "due", decision: reason } as const)
      : ({ to: "refused", why: "operator", decision: reason } as const);
  const [signUp, discount] = await db.batch([
    decideReview(db, id, decision, now),
    decideDiscount(db, id, change, now),
    refuseWithReview(db, id, reason, now),
    voidRefused(db, id, now),
  ]);
  if (signUp.meta.changes + discount.meta.changes === 0) return refused({ reason: "not-under-review" });
  const email = await tellDiscount(app, referral.friendId).catch(app.report);
  // What the provider has to be asked about it is asked again by the clock.
  await qualifyReferral(app, referral.friendId).catch(app.report);
  return done({ of: discount.meta.changes > 0 ? "discount" : "sign-up", email: email ?? null });
}
