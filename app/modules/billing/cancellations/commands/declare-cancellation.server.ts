import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { type AccountId, type CancellationId, newId } from "#app/core/id.ts";
import { findRateLimit } from "#app/core/rate-limiter.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { findFull, SiteQuotaUsedUp } from "#app/modules/accounts/codes/email-quotas.queries.server.ts";
import { declarationEmailQuotas, declarationQuotas } from "#app/modules/accounts/codes/declaration-quotas.rules.ts";
import { consumeQuotas, quotaConsumed } from "#app/modules/accounts/codes/quota-uses.queries.server.ts";
import { addCountedEmail } from "#app/modules/accounts/codes/waiting-emails.queries.server.ts";
import { deliverEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { readMeantOrder } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { sealConfirmation } from "../confirmation-email.server.ts";
import type { CancellationInput } from "../cancellations.rules.ts";
import { addCancellation } from "../queries.server.ts";

/** The declarer: their IP address, the signed-in account if any, and whether the declared address is that account's. */
type Declarer = { ip: string; accountId: AccountId | null; isOwn: boolean };

/**
 * Stores a declared cancellation, whatever it is about, and queues its confirmation, which waits if the quotas of emails are full. Only a
 * declarer's own network is limited. The request does the same whether it matches or not, so that its duration tells nothing: the cron job
 * does what follows for a plan.
 */
export async function declareCancellation(
  app: App,
  input: CancellationInput,
  { ip, accountId, isOwn }: Declarer,
): Promise<Result<{ id: CancellationId }, { reason: "too-many-from-network"; retryAt: number }>> {
  const { db } = app;
  const limited = await findRateLimit(app, "cancel", ip);
  if (limited) return refused(limited);
  const now = app.clock();
  const id = newId("ccl", app.random);
  const { kind, name, order: orderTyped, email } = input;
  const endsOn = input.endsOn === "" ? null : input.endsOn;
  const declared = { id, kind, name, orderTyped, endsOn, address: email.original };
  const [first, ...others] = await declarationQuotas(app.pepper, email.canonical, { ip, isOwn });
  const use = { id: newId("use", app.random), now, quotas: [first, ...others] as const };
  const quotas = await declarationEmailQuotas(app, email.canonical, { ip, isOwn });
  const emailUse = { id: newId("use", app.random), now, quotas };
  const meaning = { email: email.canonical, meant: readMeantOrder(orderTyped), accountId };
  const reason = kind === "extraordinary" ? input.cause : null;
  const confirmation = await sealConfirmation(app, { ...declared, declaredAt: now });
  const isStored = quotaConsumed(use);
  const {
    full,
    taken: [taken],
    counted: [counted],
    siteFull,
  } = await batchNamed(db, {
    full: findFull(db, use),
    taken: consumeQuotas(db, use),
    cancellation: addCancellation(db, { ...declared, ...meaning, reason, now }, isStored),
    ...addCountedEmail(db, confirmation, emailUse, isStored),
  });
  if (taken.meta.changes === 0) return refused(full[0] ?? { reason: "too-many-from-network", retryAt: now });
  if (siteFull.meta.changes === 1) app.report(new SiteQuotaUsedUp(emailUse));
  if (counted.meta.changes === 1) app.later(deliverEmail(app, confirmation.id));
  return done({ id });
}
