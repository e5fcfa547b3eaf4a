import { invariant } from "#app/core/invariant.ts";
import type { EmailId, AccountId, ReferralId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Outbox, PaymentAccess, RequestScope, Secrets, Site } from "#app/app.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { pagePaths } from "#app/core/page-paths.ts";
import { syncCredit } from "#app/modules/billing/credit/commands/sync-credit.server.ts";
import type { Why } from "#app/modules/billing/credit/rules.ts";
import { addEarned, requestReversal, findEarned } from "#app/modules/billing/credit/queries.server.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { holdOf, yearBefore } from "../reward.rules.ts";
import { changeToApproved, isApproved, voidAboveCap } from "../approvals.queries.server.ts";
import type { Terms } from "../retained-payments.queries.server.ts";
import { changeToVoid, voidUnpaid } from "../rewards.queries.server.ts";
import type { VoidReason } from "../rules.ts";

export type Deps = Base & Site & Secrets & Outbox & PaymentAccess & RequestScope;
type Reward = { id: ReferralId; referrerId: AccountId; friendId: AccountId };

/**
 * Approves a reward once the friend's payment is final: one batch approves it, adds the ledger line and queues the email, once. The credit
 * is then transferred to Stripe; if that fails, the ledger's cron job continues. Returns true if the reward was approved, or became void
 * because of the yearly limit.
 */
export async function approveReward(app: Deps, reward: Reward, terms: Terms): Promise<boolean> {
  const { db, product } = app;
  const now = app.clock();
  const { referrerCreditMinor: amountMinor, rewardsPerYear: max } = product.referral;
  const approval = { ...reward, ...terms, hold: holdOf(product), now, since: yearBefore(now), max };
  const line = { referralId: reward.id, accountId: reward.referrerId, amountMinor, currency: terms.currency, now };
  const sealedEmail = await writeEmail(app, reward, { template: "reward-earned" });
  const { approved, capped } = await batchNamed(db, {
    approved: changeToApproved(db, approval),
    earned: addEarned(db, line, isApproved(reward.id)),
    email: addEmail(db, sealedEmail, justChanged),
    capped: voidAboveCap(db, approval),
  });
  if (approved.meta.changes === 1) await deliverAndSync(app, reward, sealedEmail.id);
  return approved.meta.changes + capped.meta.changes > 0;
}

/** The friend's payment was refunded: one batch voids the referral and requests the reversal of its reward, once. */
export async function reverseReward(app: Deps, reward: Reward, why: VoidReason, terms: Terms): Promise<boolean> {
  const voided = voidUnpaid(app.db, reward, why, terms, app.clock());
  return reverse(app, reward, voided, why === "dispute" ? "dispute" : "refund", "money-back");
}

/** Voids the referral and requests the reversal of its reward, because the referrer paid with the friend's card. */
export async function reverseForCard(app: Deps, reward: Reward): Promise<boolean> {
  const voided = changeToVoid(app.db, reward.id, ["waiting", "approved"], "same-card", app.clock());
  return reverse(app, reward, voided, "same-card", "own-card");
}

async function reverse(
  app: Deps,
  reward: Reward,
  voided: ReturnType<typeof voidUnpaid> | ReturnType<typeof changeToVoid>,
  ledgerWhy: Why,
  emailCause: "money-back" | "own-card",
): Promise<boolean> {
  const { db } = app;
  const sealedEmail = await writeEmail(app, reward, { template: "reward-reversed", cause: emailCause });
  const { reversed, askedBack } = await batchNamed(db, {
    reversed: voided,
    askedBack: requestReversal(db, reward.id, ledgerWhy, justChanged),
    email: addEmail(db, sealedEmail, justChanged),
  });
  if (askedBack.meta.changes === 1) await deliverAndSync(app, reward, sealedEmail.id);
  return reversed.meta.changes === 1;
}

async function deliverAndSync(app: Deps, { referrerId }: Reward, emailId: EmailId): Promise<void> {
  app.later(deliverEmail(app, emailId));
  // If it fails, the cron job does it: the reward itself is stored.
  await syncCredit(app, referrerId).catch(app.report);
}

type RewardEmail = { template: "reward-earned" } | { template: "reward-reversed"; cause: "money-back" | "own-card" };

/** To the referrer; the outbox drops it if they switched such emails off. */
async function writeEmail(app: Deps, { id, referrerId }: Reward, rewardContent: RewardEmail) {
  const {
    account: [row],
    earned: [earned],
  } = await batchNamed(app.db, { account: findAccount(app.db, referrerId), earned: findEarned(app.db, id) });
  invariant(row, "A referral has no referrer");
  const { email, locale } = row;
  const key = rewardContent.template === "reward-earned" ? "earned" : "reversed";
  return sealEmail(app, email, rewardEmail(app, locale, rewardContent, earned ?? null), `${id}.${key}`);
}

/** `given` is the stored amount, if there is one: the config's may have changed since. */
export function rewardEmail(
  { origin, product }: Pick<App, "origin" | "product">,
  locale: string,
  rewardContent: RewardEmail,
  given: { amountMinor: number; currency: string } | null,
): EmailContent {
  const { currency, referral } = product;
  const amount = formatMoney(given ?? { amountMinor: referral.referrerCreditMinor, currency }, locale);
  return { ...rewardContent, amount, url: origin + pagePaths.referral, offUrl: origin + pagePaths.notifications };
}
