import type { App } from "#app/app.ts";
import { followCredit } from "#app/modules/ledger/commands/follow-credit.server.ts";
import { handleNoted, type Heard } from "#app/modules/billing-sync/commands/hear-event.server.ts";
import { judgeOwnCards } from "#app/modules/referrals/commands/judge-own-cards.server.ts";
import { joinEntries } from "#app/modules/waitlist/commands/join-entries.server.ts";
import { qualifyReferral } from "#app/modules/referrals/commands/qualify-referral.server.ts";

/**
 * What follows from a reconciled payment, module by module: the account may be a referred friend, whose reward depends on this payment;
 * may have paid with the card of a friend it referred; may have credit that this charge used; and may have been on the waitlist for this
 * plan. Failures here are found by the cron jobs from what the reconciliation stored.
 */
export async function followMoney(app: App, accountId: string): Promise<void> {
  const own = { ...app, payments: app.payments?.withOwnDeadline() ?? null };
  await qualifyReferral(own, accountId).catch(app.report);
  await judgeOwnCards(own, accountId).catch(app.report);
  await followCredit(own, accountId).catch(app.report);
  await joinEntries(app, accountId).catch(app.report);
}

/** Processes pending events of a Stripe customer, and everything that follows from them. */
export async function handleAndFollow(app: App, subject: Parameters<typeof handleNoted>[1]): Promise<Heard> {
  const heard = await handleNoted(app, subject);
  if (heard.ok && heard.value.accountId !== null) await followMoney(app, heard.value.accountId);
  return heard;
}
