import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { addActivity } from "#app/modules/accounts/activities.queries.server.ts";
import { newActivity } from "#app/modules/accounts/activities.rules.ts";
import { findAccountByAddress } from "#app/modules/accounts/queries.server.ts";
import { type Full, mailboxQuota, type QuotaReason, strangerQuotas } from "#app/modules/codes/mail-quotas.rules.ts";
import {
  findFull,
  type MailUse,
  noteSiteFull,
  SiteQuotaUsedUp,
  takeMail,
} from "#app/modules/codes/mail-quotas.queries.server.ts";
import { codeQuotas } from "#app/modules/codes/rules.ts";
import { usesTaken } from "#app/modules/codes/uses.queries.server.ts";
import { isRateLimited } from "#app/core/rate-limiter.ts";
import { newId } from "#app/core/id.ts";
import { networkOf } from "#app/core/network.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { formatExactly, minuteMs } from "#app/core/time/time.ts";
import { deliverMail, sealEmail } from "#app/modules/email/commands/deliver-mail.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addMail } from "#app/modules/email/queries.server.ts";
import type { MeantOrder } from "#app/modules/orders/rules.ts";
import {
  type Declaration,
  declarationName,
  ownerReserve,
  readMeantOrder,
  sameDeclarationMs,
  spellMeantOrder,
} from "../withdrawals.rules.ts";
import { findMeantOrder } from "../meant-order.queries.server.ts";
import {
  acknowledgeWithdrawals,
  addWithdrawal,
  addWithdrawalMoments,
  isNewOfOwner,
} from "../withdrawals.queries.server.ts";

type Powers = App;

export type DeclareRefusal = Full<Exclude<QuotaReason, "too-soon">>;

/** Who declares it: from which network, who is signed in, if anybody is, and whether to the very address. */
export type Declarer = { ip: string; accountId: string | null; isOwn: boolean; sessionId?: string };

/**
 * Notes a declaration of withdrawal and mails what was declared, and when. What it reads, writes and answers is the same whether
 * there is such an order, such an address, both or neither. The same declaration once more within a day is there already.
 */
export async function declareWithdrawal(
  app: Powers,
  declaration: Declaration,
  { ip, accountId, isOwn, sessionId }: Declarer,
): Promise<Result<{ isNew: boolean }, DeclareRefusal>> {
  const { db } = app;
  const now = app.clock();
  const network = networkOf(ip);
  const isLimited = await isRateLimited(app.rateLimitOfForms, `withdraw:${network}`, app.report);
  if (isLimited) return refused({ reason: "too-many-from-network", retryAt: now + minuteMs });
  const { name, order, email } = declaration;
  const id = newId("wdr", app.random);
  const use = await useOf(app, declaration, { ip, accountId, isOwn });
  const meant = readMeantOrder(order);
  const row = { id, name, orderTyped: order, email: email.canonical, meant, accountId, now };
  const {
    account: [owner],
    meantOrder: [found],
  } = await batchNamed(db, { account: findAccountByAddress(db, email.canonical), meantOrder: findMeantOrder(db, row) });
  // In the spelling that was proven, if one was: some mail servers tell upper and lower case apart.
  const to = owner?.email ?? email.original;
  const typed = isProven({ isOwn }, meant, found) ? { name, order, email: to } : null;
  const content = writeEmail(app, typed, found && meant);
  const mail = await sealEmail(app, to, content, id);
  const {
    full,
    taken: [noted],
    siteFull,
  } = await batchNamed(db, {
    full: findFull(db, use),
    taken: takeMail(db, use),
    withdrawal: addWithdrawal(db, row, usesTaken(use)),
    activity: sessionId ? [addActivity(db, newActivity(app, sessionId, "withdrawal-declared"), isNewOfOwner(id))] : [],
    moments: addWithdrawalMoments(db, row),
    mail: addMail(db, mail, usesTaken(use)),
    siteFull: noteSiteFull(db, use),
  });
  if (siteFull.meta.changes === 1) app.report(new SiteQuotaUsedUp());
  if (noted.meta.changes === 1) {
    app.later(acknowledge(app, mail.id));
    return done({ isNew: true });
  }
  if (full.some(({ reason }) => reason === declaredAlready)) return done({ isNew: false });
  // The statement and what was read are one decision; between the two nothing else can have happened.
  return refused(full.find(isRefusal) ?? { reason: "too-many-mails", retryAt: now });
}

/**
 * What was typed is only mailed to an address that the declarer has proven to be theirs: signed in to it, or naming one of its orders by
 * the unguessable id from an email. Order numbers are sequential, so a number proves nothing: anyone could have words of theirs mailed
 * to any customer in the product's name. Then the email names the order in our own spelling, and when it was declared.
 */
function isProven(
  { isOwn }: Pick<Declarer, "isOwn">,
  meant: MeantOrder | null,
  found: { isOfAddress: number } | undefined,
): boolean {
  return isOwn || (meant !== null && "id" in meant && found?.isOfAddress === 1);
}

/** `typed` is null where nothing that was typed may be mailed; `meant` is null where there is no such order. */
function writeEmail(
  app: Pick<App, "clock" | "product">,
  typed: { name: string; order: string; email: string } | null,
  meant: MeantOrder | null | undefined,
): EmailContent {
  // On the seller's calendar and clock, whoever reads it: what is declared counts there.
  const declared = formatExactly(app.clock(), app.product);
  const { order, ...by } = typed ?? { order: meant && spellMeantOrder(meant) };
  if (!order) return { template: "withdrawal-unmatched", declared };
  return { template: "withdrawal-acknowledged", order, by: "name" in by ? by : null, declared };
}

/** What fills the quota of one declaration in the same words: no refusal, but done before. */
const declaredAlready = "declared-already";
type Reason = DeclareRefusal["reason"] | typeof declaredAlready;

function isRefusal(full: Full<Reason>): full is DeclareRefusal {
  return full.reason !== declaredAlready;
}

/** Once a day in these words, and within the quotas of emails to strangers. Whoever is signed in to the address has a reserve. */
async function useOf(
  app: Pick<App, "clock" | "random" | "pepper">,
  declaration: Declaration,
  { ip, accountId, isOwn }: Declarer,
): Promise<MailUse<Reason>> {
  const { canonical } = declaration.email;
  const same = await declarationName(app.pepper, declaration, accountId);
  const mails = isOwn
    ? await ownerReserve(app.pepper, canonical)
    : (await codeQuotas(app.pepper, canonical, "")).stranger.mails;
  const quotas = [mailboxQuota(mails), ...(isOwn ? [] : await strangerQuotas(app.pepper, ip))];
  return {
    id: newId("use", app.random),
    now: app.clock(),
    quotas: [{ name: same, max: 1, windowMs: sameDeclarationMs, reason: declaredAlready }, ...quotas],
  };
}

/** The mail leaves after the answer; that it has is noted at once, or by the next sweep. */
async function acknowledge(app: Powers, mailId: string): Promise<void> {
  if ((await deliverMail(app, mailId)) === "sent") await acknowledgeWithdrawals(app.db);
}
