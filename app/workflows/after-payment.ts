import type { AccountId } from "#app/core/id.ts";
import type { App } from "#app/app.ts";
import { syncCredit } from "#app/modules/billing/credit/commands/sync-credit.server.ts";
import { handlePending, type HandledEvents } from "#app/modules/billing/sync/commands/handle-events.server.ts";
import { checkOwnCards } from "#app/modules/referrals/commands/check-own-cards.server.ts";
import type { Subject } from "#app/modules/billing/sync/inbox.queries.server.ts";
import { advanceReferral } from "#app/modules/referrals/commands/advance-referral.server.ts";

/**
 * What follows from a reconciled payment, module by module: the account may be a referred friend, whose reward depends on this payment;
 * may have paid with the card of a friend it referred; may have credit that this charge used; and what hooks do. Failures here are found by the cron jobs from what the reconciliation stored.
 */
export async function afterPayment(app: App, accountId: AccountId): Promise<void> {
  const own = { ...app, payments: app.payments?.withOwnDeadline() ?? null };
  await advanceReferral(own, accountId).catch(app.report);
  await checkOwnCards(own, accountId).catch(app.report);
  await syncCredit(own, accountId).catch(app.report);
  for (const { paid } of app.hooks) await paid?.(app, accountId).catch(app.report);
}

/** Processes pending events of a Stripe customer, and everything that follows from them. */
export async function handleEventsAndFollowUp(app: App, subject: Subject): Promise<HandledEvents> {
  const outcome = await handlePending(app, subject);
  if (outcome.ok && outcome.value.accountId !== null) await afterPayment(app, outcome.value.accountId);
  return outcome;
}
