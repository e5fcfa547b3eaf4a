import type { ReferralId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { advanceReferral } from "./advance-referral.server.ts";
import type { Deps } from "./approve-reward.server.ts";
import { deliverEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { nextDiscountStep } from "../discount.rules.ts";
import { changeToDecided, findDiscount, findFirstPayment, refuseWithReview } from "../discounts.queries.server.ts";
import { voidRefused } from "../open-discount.queries.server.ts";
import { emailAboutDiscount } from "./run-discount-step.server.ts";
import { decideReview, findReferral } from "../reviews.queries.server.ts";
import { prepareRefusal } from "./refuse-discount.server.ts";

type ReviewedReferral = Awaited<ReturnType<typeof findReferral>>[number];

type DecisionRefusal = { reason: "referral-unknown" } | { reason: "not-under-review" };

/** What was decided on, and what the friend was emailed. */
export type Decided = { of: "sign-up" | "discount"; email: { to: string; content: EmailContent } | null };

/** An operator approves or rejects a sign-up or discount that was held for review: once, with the reason, which is stored. */
export async function decideReferral(
  app: Deps,
  id: ReferralId,
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
  const unopened = verdict === "void" ? await prepareUnopened(app, referral) : null;
  const { signUp, discount, refusal } = await batchNamed(db, {
    signUp: decideReview(db, id, decision, now),
    discount: changeToDecided(db, id, change, now),
    refused: refuseWithReview(db, id, reason, now),
    voided: voidRefused(db, id, now),
    ...unopened?.statements,
  });
  if (signUp.meta.changes + discount.meta.changes === 0) return refused({ reason: "not-under-review" });
  const isRefusedNow = unopened !== null && refusal?.meta.changes === 1;
  if (isRefusedNow) app.later(deliverEmail(app, unopened.emailId));
  const email = isRefusedNow ? unopened.email : await emailAboutDiscount(app, referral.friendId).catch(app.report);
  // The cron job repeats what needs Stripe.
  await advanceReferral(app, referral.friendId).catch(app.report);
  return done({ of: discount.meta.changes > 0 ? "discount" : "sign-up", email: email ?? null });
}

/** A friend who paid during the review was informed that a decision would follow by email: it is refused with the sign-up. */
async function prepareUnopened(app: Deps, { id, friendId, state, signedUpAt }: ReviewedReferral) {
  const { friendDiscountMinor } = app.product.referral;
  if (state !== "under-review") return null;
  const {
    discount: [found],
    firstPayment: [first],
  } = await batchNamed(app.db, {
    discount: findDiscount(app.db, friendId),
    firstPayment: findFirstPayment(app.db, friendId, app.product.currency),
  });
  if (found || !first) return null;
  const referral = { state: "void", voidWhy: "review", signedUpAt } as const;
  const step = nextDiscountStep({ referral, discount: null, first }, friendDiscountMinor);
  if (step?.kind !== "refuse-discount") return null;
  return prepareRefusal(app, { referralId: id, friendId, orderId: first.orderId }, step);
}
