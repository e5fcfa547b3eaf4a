import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { addActivity } from "#app/modules/accounts/activities.queries.server.ts";
import { newActivity } from "#app/modules/accounts/activities.rules.ts";
import { findAccountByAddress } from "#app/modules/accounts/queries.server.ts";
import type { Full } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import {
  findFull,
  type EmailQuotaHit,
  SiteQuotaUsedUp,
} from "#app/modules/accounts/codes/email-quotas.queries.server.ts";
import { declarationEmailQuotas, declarationQuotas } from "#app/modules/accounts/codes/declaration-quotas.rules.ts";
import { consumeQuotas, quotaConsumed } from "#app/modules/accounts/codes/quota-uses.queries.server.ts";
import { addCountedEmail } from "#app/modules/accounts/codes/waiting-emails.queries.server.ts";
import { findRateLimit } from "#app/core/rate-limiter.ts";
import { type EmailId, newId, type AccountId, type OrderId, type SessionId } from "#app/core/id.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { formatExactly } from "#app/core/time/time.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import type { MeantOrder } from "#app/modules/billing/orders/rules.ts";
import {
  type DeclarationInput,
  declarationName,
  readMeantOrder,
  sameDeclarationMs,
  spellMeantOrder,
} from "../withdrawals.rules.ts";
import { formatRefundDay } from "../format-refund-day.rules.ts";
import { findDeclaredOrder } from "../declared-order.queries.server.ts";
import { addWithdrawal, addWithdrawalEvents, isNewOfOwner } from "../withdrawals.queries.server.ts";
import { acknowledgeWithdrawals } from "../everyone.queries.server.ts";

type Deps = Base & Site & Secrets & Outbox & RequestScope;

type DeclareRefusal = Full<"too-many-from-network">;

/** The declarer: their IP address, the signed-in account if any, and whether the declared address is that account's. */
type Declarer = { ip: string; accountId: AccountId | null; isOwn: boolean; sessionId?: SessionId };

/**
 * Stores a declared withdrawal and queues the confirmation of receipt, which waits if the quotas of emails are full. Only a declarer's own
 * network is limited. Reads, writes and answer are the same whether the order or the address exists or not. The same declaration repeated within a day isn't stored again. `ownOrderId` is the order, if it belongs to the address and
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
  const emailQuotas = await declarationEmailQuotas(app, email.canonical, { ip, isOwn });
  const emailUse = { id: newId("use", app.random), now, quotas: emailQuotas };
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
  const confirmation = isOwn && accountId ? { ...sealedEmail, accountId } : sealedEmail;
  const isStored = quotaConsumed(use);
  const {
    full,
    taken: [noted],
    counted: [counted],
    siteFull,
  } = await batchNamed(db, {
    full: findFull(db, use),
    taken: consumeQuotas(db, use),
    withdrawal: addWithdrawal(db, row, isStored),
    activity: sessionId ? [addActivity(db, newActivity(app, sessionId, "withdrawal-declared"), isNewOfOwner(id))] : [],
    historyEvents: addWithdrawalEvents(db, row),
    ...addCountedEmail(db, confirmation, emailUse, isStored),
  });
  if (siteFull.meta.changes === 1) app.report(new SiteQuotaUsedUp(emailUse));
  if (counted.meta.changes === 1) app.later(acknowledge(app, sealedEmail.id));
  if (noted.meta.changes === 1) return done({ isNew: true, ownOrderId });
  if (full.some(({ reason }) => reason === declaredAlready)) return done({ isNew: false, ownOrderId });
  // The statement and the reads are one batch, so nothing can have happened in between.
  return refused(full.find(isRefusal) ?? { reason: "too-many-from-network", retryAt: now });
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

/** A declaration counts once a day in the same words, and against what the declarer's network may declare. */
async function useOf(
  app: Pick<App, "clock" | "random" | "pepper">,
  declaration: DeclarationInput,
  { accountId, ...declarer }: Declarer,
): Promise<EmailQuotaHit<Reason>> {
  const same = await declarationName(app.pepper, declaration, accountId);
  return {
    id: newId("use", app.random),
    now: app.clock(),
    quotas: [
      { name: same, max: 1, windowMs: sameDeclarationMs, reason: declaredAlready },
      ...(await declarationQuotas(app.pepper, declaration.email.canonical, declarer)),
    ],
  };
}

/** Sends the email after the response; that it was sent is stored right away, or by the next run of the cron job. */
async function acknowledge(app: Deps, emailId: EmailId): Promise<void> {
  if ((await deliverEmail(app, emailId)) === "sent") await acknowledgeWithdrawals(app.db);
}
