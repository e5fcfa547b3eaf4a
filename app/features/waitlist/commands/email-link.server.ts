import { gateName } from "#app/modules/catalogue/gate.rules.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { findAccountByAddress } from "#app/modules/accounts/queries.server.ts";
import {
  type Full,
  gapOf,
  mailboxQuotasOf,
  networkQuotas,
  type QuotaReason,
  siteQuota,
} from "#app/modules/accounts/codes/email-quotas.rules.ts";
import {
  findFull,
  type EmailQuotaHit,
  addSiteFull,
  SiteQuotaUsedUp,
  consumeEmailQuota,
} from "#app/modules/accounts/codes/email-quotas.queries.server.ts";
import { codeQuotas } from "#app/modules/accounts/codes/rules.ts";
import type { Proof } from "#app/core/challenge.ts";
import { suspicionQuotas } from "#app/modules/accounts/codes/challenge.rules.ts";
import { areFree, quotaConsumed } from "#app/modules/accounts/codes/quota-uses.queries.server.ts";
import { hashToken } from "#app/core/hash.ts";
import { type EmailAddress, mailboxOf } from "#app/core/text/email-address.ts";
import { findRateLimit } from "#app/core/rate-limiter.ts";
import { newId, type EntryId } from "#app/core/id.ts";
import { newLinkCode } from "#app/core/link-code.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import {
  type Referrers,
  confirmLifeMs,
  confirmToken,
  type Entry,
  entryToken,
  joinVerdict,
  writeLink,
  waitlistPath,
} from "../rules.ts";
import {
  findEntryByAddress,
  changeToReachable,
  emailFits,
  type NewEntry,
  addOrRestartEntry,
} from "../queries.server.ts";

export type EmailLinkDeps = Base & Site & Secrets & Outbox & RequestScope;

declare module "#app/core/rate-limiter.ts" {
  interface FormCounters {
    waitlist: unknown;
  }
}

type Input = { gate: string; address: EmailAddress; referrers: Referrers; ip: string; proof: Proof };

/** These reveal nothing about the address: they are about the requesting network, or the whole site. */
export type NetworkRefusal = Full<"too-many-from-network" | "too-many-from-site" | "challenge-wanted">;

/**
 * Stores a request to join and emails the link that fits: to confirm, or to the entry that the address already has. Reads, writes and
 * answer are the same for a new, known, confirmed and rejected address; only the email differs. The only refusal is about the network,
 * never the address.
 */
export async function emailLink(
  app: EmailLinkDeps,
  input: Input,
): Promise<Result<{ isSent: boolean }, NetworkRefusal>> {
  const { db } = app;
  const now = app.clock();
  const limited = await findRateLimit(app, "waitlist", input.ip);
  if (limited) return refused(limited);
  const { known, accounts } = await batchNamed(db, {
    known: findEntryByAddress(db, input.gate, input.address.canonical),
    accounts: findAccountByAddress(db, input.address.canonical),
  });
  const before = known[0] ?? null;
  const entry = await draftEntry(app, input, before);
  const send = await emailQuotaHit(app, input);
  // The address's wrong codes don't count here, since the answer must not depend on the address.
  const suspicion = suspicionQuotas(input.proof, send.quotas, null);
  const kind = joinVerdict(before, now) === "exists" ? "entry" : "confirm";
  // Sent to the spelling that was proven, if one was: some mail servers distinguish upper and lower case.
  const proven = accounts[0]?.email ?? (kind === "entry" ? before?.email : undefined);
  const email = await sealEmail(app, proven ?? input.address.original, await writeEmail(app, kind, input, entry.id));
  const {
    full,
    taken: [taken],
    siteFull,
  } = await batchNamed(db, {
    full: findFull(db, { ...send, quotas: [...send.quotas, ...suspicion] }),
    taken: consumeEmailQuota(db, send, areFree(suspicion, now)),
    saved: addOrRestartEntry(db, entry, now, quotaConsumed(send)),
    // If the entry was confirmed or left since it was read, the email would be wrong and isn't queued.
    email: addEmail(db, { ...email, entryId: entry.id }, emailFits(entry.id, kind, quotaConsumed(send))),
    reachable: changeToReachable(db, input.address.canonical, "request", quotaConsumed(send)),
    siteFull: addSiteFull(db, send),
  });
  if (taken.meta.changes === 1) app.later(deliverEmail(app, email.id));
  if (siteFull.meta.changes === 1) app.report(new SiteQuotaUsedUp(send));
  const shut = full.find(isNotOfAddress);
  return shut ? refused(shut) : done({ isSent: taken.meta.changes === 1 });
}

function isNotOfAddress(full: Full): full is NetworkRefusal {
  return ["too-many-from-network", "too-many-from-site", "challenge-wanted"].includes(full.reason);
}

/** The row for this request. A repeated request keeps its id; anything else starts again. */
export async function draftEntry(
  app: Pick<App, "clock" | "random" | "pepper">,
  { gate, address }: Pick<Input, "gate" | "address">,
  before: Entry | null,
  isProven = false,
): Promise<NewEntry> {
  const now = app.clock();
  const verdict = joinVerdict(before, now);
  const previous = verdict === "begin" ? null : before;
  const id = previous?.id ?? newId("ent", app.random);
  return {
    id,
    gate,
    email: address.original,
    emailCanonical: address.canonical,
    mailbox: mailboxOf(address.canonical),
    confirmHash: await hashToken(await confirmToken(app.pepper, id)),
    entryHash: await hashToken(await entryToken(app.pepper, id)),
    shareCode: previous?.shareCode ?? newLinkCode(app.random),
    createdAt: previous?.createdAt ?? now,
    confirmExpiresAt: now + confirmLifeMs,
    isProven,
  };
}

async function emailQuotaHit(app: EmailLinkDeps, { address, ip }: Input): Promise<EmailQuotaHit<QuotaReason>> {
  const { stranger } = await codeQuotas(app.pepper, address.canonical, "", ip);
  const ofMailbox = await mailboxQuotasOf(app.pepper, stranger.emails, ip);
  const networks = await networkQuotas(app.pepper, ip);
  return {
    id: newId("use", app.random),
    now: app.clock(),
    quotas: [gapOf(stranger, "waitlist"), ...ofMailbox, ...networks, siteQuota(app.product)],
  };
}

async function writeEmail(
  app: EmailLinkDeps,
  kind: "confirm" | "entry",
  input: Input,
  entryId: EntryId,
): Promise<EmailContent> {
  const what = gateName(app.product, input.gate);
  // Both tokens are derived every time, so that both emails take the same work.
  const [confirm, entry] = [await confirmToken(app.pepper, entryId), await entryToken(app.pepper, entryId)];
  const page = app.origin + waitlistPath;
  return kind === "entry"
    ? { template: "waitlist-place", what, url: `${page}?entry=${entry}` }
    : {
        template: "waitlist-confirm",
        what,
        url: `${page}?confirm=${writeLink(confirm, input.referrers)}`,
        validMs: confirmLifeMs,
      };
}
