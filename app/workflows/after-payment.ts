import type { App } from "#app/app.ts";
import { followCredit } from "#app/modules/ledger/commands/follow-credit.server.ts";
import { handleNoted, type Heard } from "#app/modules/billing-sync/commands/hear-event.server.ts";
import { judgeOwnCards } from "#app/modules/referrals/commands/judge-own-cards.server.ts";
import { joinEntries } from "#app/modules/waitlist/commands/join-entries.server.ts";
import { qualifyReferral } from "#app/modules/referrals/commands/qualify-referral.server.ts";

/**
 * What a settlement leads to, module by module: the account may be somebody's friend, whose reward hangs on this money; may have paid by a
 * card of a friend of its own; may have credit, which this charge has used; and may have waited in line for this plan. What fails here
 * is found by the clock, by what the settlement left.
 */
export async function followMoney(app: App, accountId: string): Promise<void> {
  const own = { ...app, payments: app.payments?.withOwnDeadline() ?? null };
  await qualifyReferral(own, accountId).catch(app.report);
  await judgeOwnCards(own, accountId).catch(app.report);
  await followCredit(own, accountId).catch(app.report);
  await joinEntries(app, accountId).catch(app.report);
}

/** Handles what waits about a customer of the provider's, and all that follows from it. */
export async function handleAndFollow(app: App, subject: Parameters<typeof handleNoted>[1]): Promise<Heard> {
  const heard = await handleNoted(app, subject);
  if (heard.ok && heard.value.accountId !== null) await followMoney(app, heard.value.accountId);
  return heard;
}
