import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import { type Powers, qualifyReferral } from "./qualify-referral.server.ts";
import { decideReview, findReferral } from "./reviews.store.server.ts";
import { qualifyPaid } from "./rewards.store.server.ts";

type DecisionRefusal = { reason: "referral-unknown" } | { reason: "not-under-review" };

/**
 * An operator has looked at a sign-up of a burst: it goes on like any other, or counts for nothing. Once; with the reason, which stays
 * with the referral.
 */
export async function decideReferral(
  app: Powers,
  id: string,
  decision: { verdict: "approve" | "void"; reason: string },
): Promise<Result<null, DecisionRefusal>> {
  const { db, product } = app;
  const terms = { qualifyingMinor: product.referral.qualifyingAmountMinor, currency: product.currency };
  const [referral] = await findReferral(db, id);
  if (!referral) return refused({ reason: "referral-unknown" });
  const [decided] = await db.batch([
    decideReview(db, id, decision, app.clock()),
    qualifyPaid(db, referral.friendId, terms),
  ]);
  if (decided.meta.changes !== 1) return refused({ reason: "not-under-review" });
  // What the provider has to be asked about it is asked again by the clock.
  await qualifyReferral(app, referral.friendId).catch(app.report);
  return done(null);
}
