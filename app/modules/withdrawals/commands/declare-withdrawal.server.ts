import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { addActivity } from "#app/modules/accounts/activities.queries.server.ts";
import { newActivity } from "#app/modules/accounts/activities.rules.ts";
import { findAccountByAddress } from "#app/modules/accounts/queries.server.ts";
import { type Full, mailboxQuota, type QuotaReason, strangerQuotas } from "#app/modules/codes/email-quotas.rules.ts";
import {
  findFull,
  type EmailQuotaHit,
  addSiteFull,
  SiteQuotaUsedUp,
  consumeEmailQuota,
} from "#app/modules/codes/email-quotas.queries.server.ts";
import { codeQuotas } from "#app/modules/codes/rules.ts";
import { quotaConsumed } from "#app/modules/codes/quota-uses.queries.server.ts";
import { findRateLimit } from "#app/core/rate-limiter.ts";
import { type EmailId, newId, type AccountId, type OrderId, type SessionId } from "#app/core/id.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { formatExactly } from "#app/core/time/time.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import type { MeantOrder } from "#app/modules/orders/rules.ts";
import {
  type DeclarationInput,
  declarationName,
  ownerReserve,
  readMeantOrder,
  sameDeclarationMs,
  spellMeantOrder,
} from "../withdrawals.rules.ts";
import { formatRefundDay } from "../format-refund-day.rules.ts";
import { findDeclaredOrder } from "../declared-order.queries.server.ts";
import {
  acknowledgeWithdrawals,
  addWithdrawal,
  addWithdrawalEvents,
  isNewOfOwner,
} from "../withdrawals.queries.server.ts";

type Deps = Base & Site & Secrets & Outbox & RequestScope;

type DeclareRefusal = Full<Exclude<QuotaReason, "too-soon">>;

/** The declarer: their IP address, the signed-in account if any, and whether the declared address is that account's. */
type Declarer = { ip: string; accountId: AccountId | null; isOwn: boolean; sessionId?: SessionId };

/**
 * Stores a declared withdrawal and emails a confirmation of receipt. Reads, writes and answer are the same whether the order or the address
 * exists or not. The same declaration repeated within a day isn't stored again. `ownOrderId` is the order, if it belongs to the address and
 * the declarer is signed in to it.
 */
export async function declareWithdrawal(
  app: Deps,
  declaration: DeclarationInput,
  { ip, accountId, isOwn, sessionId }: Declarer,
): Promise<Result<{ isNew: boolean; ownOrderId: OrderId | null }, DeclareRefusal>> {
  const { db } = app;
  const now = app.clock();
  const limited = await findRateLimit(app, "withdraw", ip);
  if (limited) return refused(limited);
  const { name, order, email } = declaration;
  const id = newId("wdr", app.random);
  const use = await useOf(app, declaration, { ip, accountId, isOwn });
  const meant = readMeantOrder(order);
  const row = { id, name, orderTyped: order, email: email.canonical, meant, accountId, now };
  const {
    account: [owner],
    meantOrder: [found],
  } = await batchNamed(db, {
    account: findAccountByAddress(db, email.canonical),
    meantOrder: findDeclaredOrder(db, row),
  });
  const ownOrderId = isOwn && found?.isOfAddress === 1 ? found.id : null;
  // In the spelling that was proven, if one was: some mail servers distinguish upper and lower case.
  const to = owner?.email ?? email.original;
  const typed = isProven({ isOwn }, { ...declaration, meant }, found) ? { name, order, email: to } : null;
  // In the account's time zone, like its pages, or without an account in the seller's.
  const declared = formatExactly(now, owner ?? app.product);
  const refundBy = formatRefundDay(now, app.product, owner ?? app.product);
  const content = writeEmail({ declared, refundBy }, typed, found && meant);
  const sealedEmail = await sealEmail(app, to, content, id);
  const {
    full,
    taken: [noted],
    siteFull,
  } = await batchNamed(db, {
    full: findFull(db, use),
    taken: consumeEmailQuota(db, use),
    withdrawal: addWithdrawal(db, row, quotaConsumed(use)),
    activity: sessionId ? [addActivity(db, newActivity(app, sessionId, "withdrawal-declared"), isNewOfOwner(id))] : [],
    historyEvents: addWithdrawalEvents(db, row),
    email: addEmail(db, isOwn && accountId ? { ...sealedEmail, accountId } : sealedEmail, quotaConsumed(use)),
    siteFull: addSiteFull(db, use),
  });
  if (siteFull.meta.changes === 1) app.report(new SiteQuotaUsedUp());
  if (noted.meta.changes === 1) {
    app.later(acknowledge(app, sealedEmail.id));
    return done({ isNew: true, ownOrderId });
  }
  if (full.some(({ reason }) => reason === declaredAlready)) return done({ isNew: false, ownOrderId });
  // The statement and the reads are one batch, so nothing can have happened in between.
  return refused(full.find(isRefusal) ?? { reason: "too-many-emails", retryAt: now });
}

/**
 * What was entered is emailed only to an address that the declarer has proven to be theirs: by being signed in to it, or by giving the
 * unguessable id of one of its orders, from an email. Order numbers are sequential and prove nothing: an attacker could have any text
 * emailed to any customer in the product's name. Without the proof the email contains the order in our own spelling, and the time.
 */
function isProven(
  { isOwn }: Pick<Declarer, "isOwn">,
  { meant, ref }: { meant: MeantOrder | null; ref?: string | undefined },
  found: { id: OrderId; isOfAddress: number } | undefined,
): boolean {
  const isById = (meant !== null && "id" in meant) || (ref !== undefined && ref === found?.id);
  return isOwn || (isById && found?.isOfAddress === 1);
}

/** `typed` is null if nothing entered may be emailed; `meant` is null if there is no such order. */
function writeEmail(
  when: { declared: string; refundBy: string },
  typed: { name: string; order: string; email: string } | null,
  meant: MeantOrder | null | undefined,
): EmailContent {
  const { order, ...by } = typed ?? { order: meant && spellMeantOrder(meant) };
  if (!order) return { template: "withdrawal-unmatched", declared: when.declared };
  return { template: "withdrawal-acknowledged", order, by: "name" in by ? by : null, ...when };
}

/** A repeated declaration in the same words isn't refused: it is already done. */
const declaredAlready = "declared-already";
type Reason = DeclareRefusal["reason"] | typeof declaredAlready;

function isRefusal(full: Full<Reason>): full is DeclareRefusal {
  return full.reason !== declaredAlready;
}

/**
 * A declaration counts once a day in the same words, and against the quotas of emails to strangers. An account signed in to the address has
 * a reserve.
 */
async function useOf(
  app: Pick<App, "clock" | "random" | "pepper">,
  declaration: DeclarationInput,
  { ip, accountId, isOwn }: Declarer,
): Promise<EmailQuotaHit<Reason>> {
  const { canonical } = declaration.email;
  const same = await declarationName(app.pepper, declaration, accountId);
  const emails = isOwn
    ? await ownerReserve(app.pepper, canonical)
    : (await codeQuotas(app.pepper, canonical, "")).stranger.emails;
  const quotas = [mailboxQuota(emails), ...(isOwn ? [] : await strangerQuotas(app.pepper, ip))];
  return {
    id: newId("use", app.random),
    now: app.clock(),
    quotas: [{ name: same, max: 1, windowMs: sameDeclarationMs, reason: declaredAlready }, ...quotas],
  };
}

/** Sends the email after the response; that it was sent is stored right away, or by the next run of the cron job. */
async function acknowledge(app: Deps, emailId: EmailId): Promise<void> {
  if ((await deliverEmail(app, emailId)) === "sent") await acknowledgeWithdrawals(app.db);
}
