import { sql } from "drizzle-orm";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, Secrets, Site } from "#app/app.ts";
import {
  applicableQuotas,
  type Carried,
  codeQuotas,
  checkSend,
  codeRetentionMs,
  type Purpose,
  type SendRefusal,
  codeLifeMs,
} from "#app/modules/accounts/codes/rules.ts";
import type { Proof } from "#app/core/challenge.ts";
import { suspicionQuotas } from "#app/modules/accounts/codes/challenge.rules.ts";
import { generateCode, hashCode } from "#app/modules/accounts/codes/digits.rules.ts";
import { findKnownBrowser, findStreak, hasTries } from "#app/modules/accounts/codes/quotas.queries.server.ts";
import {
  gapOf,
  mailboxQuota,
  mailboxQuotasOf,
  networkQuotas,
  type Quota,
  siteQuota,
} from "#app/modules/accounts/codes/email-quotas.rules.ts";
import {
  findFull,
  type EmailQuotaHit,
  addSiteFull,
  SiteQuotaUsedUp,
  consumeEmailQuota,
} from "#app/modules/accounts/codes/email-quotas.queries.server.ts";
import { addCode, codeIssued, findLiveRequest } from "#app/modules/accounts/codes/queries.server.ts";
import { areFree, listUses, quotaConsumed } from "#app/modules/accounts/codes/quota-uses.queries.server.ts";
import { hashToken } from "#app/core/hash.ts";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import { newId, type AccountId, type RequestId } from "#app/core/id.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { pagePaths } from "#app/core/page-paths.ts";
import { sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addEmail, withholdEmail } from "#app/modules/email/queries.server.ts";
import { findHold } from "../address-changes.queries.server.ts";
import { heldEmail } from "../address-emails.server.ts";
import { sendCodeEmail } from "./send-code-email.server.ts";
import type { Account } from "../rules.ts";
import { findAccountByAddress } from "../queries.server.ts";

export type CodeRequest = {
  address: EmailAddress;
  purpose: Purpose;
  /** The token in the browser's own cookie. */
  browserToken: string;
  ip: string;
  carried: Carried;
  /** The account of a change of address or re-authentication. */
  accountId?: AccountId;
  /** The result of the form's challenge. Left out if the form has none. */
  proof?: Proof;
  /** Whether the user pressed "send again", which waits for the minimum gap. A form sent twice gets the request that is still valid. */
  again: boolean;
};

type Deps = Base & Site & Secrets & Outbox;

/**
 * Emails a code, or an email that explains why there is none, and returns the request for the page to wait on. Reads, writes and answer
 * are the same with and without an account; only the email differs.
 */
export async function requestCode(
  app: Deps,
  codeRequest: CodeRequest,
): Promise<Result<{ requestId: RequestId }, SendRefusal>> {
  const { db, pepper } = app;
  const now = app.clock();
  const { canonical } = codeRequest.address;
  const browserHash = await hashToken(codeRequest.browserToken);
  const quotas = await codeQuotas(pepper, canonical, browserHash, codeRequest.ip);
  const {
    accounts,
    known,
    hold: [hold],
  } = await batchNamed(db, {
    accounts: findAccountByAddress(db, canonical),
    known: findKnownBrowser(db, quotas.addressHash, browserHash),
    hold: findHold(db, canonical, now),
  });
  const isKnown = known.length > 0;
  const quota = applicableQuotas(quotas, isKnown);
  const use: EmailQuotaHit<Quota["reason"]> = {
    id: newId("use", app.random),
    now,
    quotas: [gapOf(quota, "codes"), ...(await quotasOf(app, codeRequest, quota.emails, isKnown))],
  };
  const suspicion = isKnown ? [] : suspicionQuotas(codeRequest.proof ?? "off", use.quotas, quota.tries);
  const { row, email } = await writeCode(app, codeRequest, browserHash, { account: accounts[0], hold });
  // Without an account the answer is the same, but the email comes out of what all strangers have, and is left out once that is used up.
  const share = { id: newId("use", app.random), now, quotas: [siteQuota(app.product)] as const };
  const needsShare = sql`${email.template === "no-account" ? 1 : 0} and ${quotaConsumed(use)}`;
  const {
    full,
    tries,
    streaks,
    taken: [taken],
    siteFull,
    shareFull,
  } = await batchNamed(db, {
    // A challenge is asked for only if it would help: where a full quota is used up, that is the reason.
    full: findFull(db, { ...use, quotas: [...use.quotas, ...suspicion] }),
    tries: listUses(db, quota.tries, now),
    streaks: findStreak(db, quota.tries),
    // No code is sent that couldn't be tried.
    taken: consumeEmailQuota(db, use, sql`${hasTries(quota.tries, now)} and ${areFree(suspicion, now)}`),
    code: addCode(db, { ...row, quotas }, use),
    email: addEmail(db, email, codeIssued(row.id)),
    share: consumeEmailQuota(db, share, needsShare),
    withheld: withholdEmail(db, email.id, now, sql`${needsShare} and not ${quotaConsumed(share)}`),
    siteFull: addSiteFull(db, use),
    shareFull: addSiteFull(db, share, needsShare),
  });
  if (siteFull.meta.changes + shareFull.meta.changes > 0) app.report(new SiteQuotaUsedUp(share));
  if (taken.meta.changes === 1) {
    app.later(sendCodeEmail(app, row));
    return done({ requestId: row.id });
  }
  const tried = { full, triedAts: tries.map((use) => use.usedAt), pausedUntil: streaks[0]?.pausedUntil ?? null };
  return answerUnsent(app, codeRequest, browserHash, checkSend(tried, now));
}

/**
 * A known browser has its own reserve: other people's emails, even from the same network, don't count against it. Only signing up counts
 * against what all strangers have together, and then for every address, so that its refusal doesn't say whether there is an account. Codes
 * of accounts don't count there: whoever uses that up stops nobody's signing in.
 */
async function quotasOf(
  { pepper, product }: Deps,
  { purpose, ip }: CodeRequest,
  emails: string,
  isKnown: boolean,
): Promise<Quota[]> {
  if (isKnown) return [mailboxQuota(emails)];
  const [ofNetwork, networks] = await Promise.all([mailboxQuotasOf(pepper, emails, ip), networkQuotas(pepper, ip)]);
  return [...ofNetwork, ...networks, ...(purpose === "sign-up" ? [siteQuota(product)] : [])];
}

/** A form sent twice gets the request that is still valid; otherwise the request is refused. */
async function answerUnsent(
  { db, clock }: Deps,
  { address, purpose, again }: CodeRequest,
  browserHash: string,
  refusal: SendRefusal | null,
): Promise<Result<{ requestId: RequestId }, SendRefusal>> {
  const now = clock();
  if (refusal?.reason === "too-soon" && !again) {
    const [waiting] = await findLiveRequest(db, address.canonical, purpose, browserHash, now);
    if (waiting) return done({ requestId: waiting.id });
  }
  // The statement makes the same decision as the rule; if another request took the last email in between, the answer is "too soon".
  return refused(refusal ?? { reason: "too-soon", retryAt: now });
}

/** What an address belongs to: an account, or a change that reserves it for the account that had it. */
type Holder = {
  account: Pick<Account, "email"> | undefined;
  hold: Awaited<ReturnType<typeof findHold>>[number] | undefined;
};

async function writeCode(app: Deps, codeRequest: CodeRequest, browserHash: string, holder: Holder) {
  const now = app.clock();
  const code = generateCode(app.random);
  const id = newId("req", app.random);
  const content = await emailFor(app, codeRequest, holder, { digits: code, requestId: id });
  // Sent to the spelling that was proven. Some mail servers distinguish upper and lower case, so the address as typed may be another
  // person's mailbox.
  const proven = holder.account?.email ?? (content.template === "address-held" ? holder.hold?.fromEmail : undefined);
  const email = await sealEmail(app, proven ?? codeRequest.address.original, content);
  const row = {
    id,
    address: codeRequest.address.canonical,
    addressTyped: codeRequest.address.original,
    purpose: codeRequest.purpose,
    // Hashed even if the email has no code, so that both cases take equally long.
    codeHash: await hashCode(app.pepper, id, "code" in content ? code : ""),
    carried: codeRequest.carried,
    browserHash,
    createdAt: now,
    // A placeholder until its email is sent: the lifetime starts then.
    expiresAt: now + codeRetentionMs,
    accountId: codeRequest.accountId ?? null,
    emailId: email.id,
  };
  return { row, email };
}

async function emailFor(
  app: Deps,
  { purpose, accountId, carried: { action } }: CodeRequest,
  { account, hold }: Holder,
  { digits: code, requestId }: { digits: string; requestId: RequestId },
): Promise<EmailContent> {
  const url = `${app.origin}${pagePaths.verify}?request=${requestId}&code=${code}`;
  const hasAccount = account !== undefined;
  // Rendered in any case, so that a reserved address takes no longer than others.
  const held = await heldEmail(app, hold ?? noChange, hold ?? app.product);
  if (hold && !hasAccount && hold.accountId !== accountId) return held;
  if (purpose === "sign-in" && !hasAccount) return { template: "no-account", url: app.origin + pagePaths.signUp };
  if (purpose === "change-email" && hasAccount) return { template: "address-wanted" };
  if (purpose === "sign-up" && hasAccount) return { template: "has-account", code, validMs: codeLifeMs, url };
  return { template: "code", purpose, code, validMs: codeLifeMs, url, ...(action && { action }) };
}

const noChange = { id: "chg_", toEmail: "", changedAt: 0, revertExpiresAt: 0 } as const;
