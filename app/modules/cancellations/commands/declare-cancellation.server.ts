import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { type AccountId, type CancellationId, newId } from "#app/core/id.ts";
import { findRateLimit } from "#app/core/rate-limiter.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { addSiteFull, consumeEmailQuota, SiteQuotaUsedUp } from "#app/modules/codes/email-quotas.queries.server.ts";
import { mailboxQuota, strangerQuotas } from "#app/modules/codes/email-quotas.rules.ts";
import { quotaConsumed } from "#app/modules/codes/quota-uses.queries.server.ts";
import { codeQuotas } from "#app/modules/codes/rules.ts";
import { deliverEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import { ownerReserve, readMeantOrder } from "#app/modules/withdrawals/withdrawals.rules.ts";
import { sealConfirmation } from "../confirmation-email.server.ts";
import type { CancellationInput, ConfirmationQuota } from "../cancellations.rules.ts";
import { addCancellation, changeToConfirmed } from "../queries.server.ts";
import { carryOutCancellation } from "./carry-out-cancellation.server.ts";

/** The declarer: their IP address, the signed-in account if any, and whether the declared address is that account's. */
type Declarer = { ip: string; accountId: AccountId | null; isOwn: boolean };

/**
 * Stores a declared cancellation, whatever it is about, and queues its confirmation, which waits if the quotas of emails are full. Statements
 * and answer are the same whether it matches or not; what follows for a plan comes after the response.
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
  const quotas = await quotasOf(app, email.canonical, { ip, isOwn });
  const use = { id: newId("use", app.random), now, quotas };
  const meaning = { email: email.canonical, meant: readMeantOrder(orderTyped), accountId };
  const reason = kind === "extraordinary" ? input.cause : null;
  const confirmation = await sealConfirmation(app, { ...declared, declaredAt: now });
  const { siteFull, confirmed } = await batchNamed(db, {
    cancellation: addCancellation(db, { ...declared, ...meaning, reason, quotas, now }),
    quota: consumeEmailQuota(db, use),
    email: addEmail(db, confirmation, quotaConsumed(use)),
    confirmed: changeToConfirmed(db, id, quotaConsumed(use)),
    siteFull: addSiteFull(db, use),
  });
  if (siteFull.meta.changes === 1) app.report(new SiteQuotaUsedUp());
  app.later(
    (async () => {
      if (confirmed.meta.changes === 1) await deliverEmail(app, confirmation.id);
      await carryOutCancellation(app, id);
    })(),
  );
  return done({ id });
}

/** An account signed in to the address has a reserve that strangers can't use up. */
async function quotasOf(
  { pepper }: Pick<App, "pepper">,
  canonical: string,
  { ip, isOwn }: Omit<Declarer, "accountId">,
): Promise<[ConfirmationQuota, ...ConfirmationQuota[]]> {
  if (isOwn) return [mailboxQuota(await ownerReserve(pepper, canonical))];
  const { stranger } = await codeQuotas(pepper, canonical, "");
  return [mailboxQuota(stranger.emails), ...(await strangerQuotas(pepper, ip))];
}
