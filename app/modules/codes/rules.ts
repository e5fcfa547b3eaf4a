/**
 * The codes module: eight digits that prove an address, for one purpose, in the browser that asked for them.
 * Tries belong to the address, whatever the code, cookie or IP; a resend never refills them. A browser that signed in
 * to the address before has budgets of its own, so that strangers can't lock the owner out. Emails: mail-quotas.rules.ts.
 */
import { keyedHash } from "#app/core/digest.ts";
import { mailboxOf } from "#app/core/text/email-address.ts";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import type { Full } from "./mail-quotas.rules.ts";

/** What a code is for. */
export const purposes = ["sign-up", "sign-in", "change-email", "fresh-proof"] as const;
export type Purpose = (typeof purposes)[number];

/** Does proving an address open an account, where there is none? By the purpose of the code. */
export const createsAccount: Record<Purpose, boolean> = {
  "sign-up": true,
  "sign-in": false,
  "change-email": false,
  "fresh-proof": false,
};

/**
 * The browser that asked is the one that goes on: it is signed in, and another one is not to be. Sign-up and sign-in may go on
 * in the browser that the mail was opened in.
 */
export function staysInBrowser(purpose: Purpose): purpose is "change-email" | "fresh-proof" {
  return purpose === "change-email" || purpose === "fresh-proof";
}

export type CodeState = "issued" | "used" | "expired" | "exhausted" | "superseded";

/** Lifetime of a code from when its email was sent. */
export const codeLifeMs = 10 * minuteMs;
/** Wrong tries of one code. */
export const triesPerCodeMax = 5;
/** Wrong tries of an address in an hour, over all its codes. */
export const triesPerHourMax = 10;
/** Wrong tries in a row that pause an address. */
export const wrongStreakMax = 100;
/** How long that pause is. */
export const streakPauseMs = dayMs;
/** How long a row of wrong tries is kept after the last one. */
export const streakKeptMs = 30 * dayMs;
/** How long a browser is known, and keeps the cookie for it. */
export const knownBrowserMs = 400 * dayMs;
/** The sliding window of `triesPerHourMax`. */
export const quotaWindowMs = hourMs;
/** Valid codes of a purpose: a delayed first email still works. */
export const liveCodesMax = 2;
/** How long rows of codes are stored, for the quotas and to say "already used". */
export const keptMs = dayMs;

export type Code = {
  id: string;
  address: string;
  addressTyped: string;
  purpose: Purpose;
  /** SHA-256 of the cookie of the browser that asked. */
  browserHash: string;
  state: CodeState;
  codeHash: string;
  wrongTries: number;
  carried: Carried;
  createdAt: number;
  expiresAt: number;
  /** Whose account a change of address or a re-authentication is about. */
  accountId: string | null;
  /** Null: there was no budget for a mail, and the request waits for a passkey. */
  mailId: string | null;
};

/** What a journey takes along from the form to the proven address. Never trusted: each reader checks its part again. */
export type Carried = {
  planId?: string;
  interval?: string;
  redirectTo?: string;
  termsVersion?: string;
  referralCode?: string;
  /** The entry whose invitation opened the form: its link is derived from it, and stands nowhere. */
  entryId?: string;
  /** What stood in the form that asked for a re-authentication, so that nobody types it again. */
  typed?: Record<string, string>;
  /** The address was typed in another browser: this one sees it masked alone. */
  typedElsewhere?: true;
};

/** No code of this address works in this browser until then, the right one neither. */
export type ShutRefusal = { reason: "too-many-tries"; retryAt: number } | { reason: "paused"; retryAt: number };

/** A mail is refused as soon as what it would bring is: nobody is sent a code that can't be typed. */
export type SendRefusal = Full | ShutRefusal;

export type OverRefusal =
  | { reason: "code-expired" }
  | { reason: "code-exhausted" }
  | { reason: "code-used" }
  | { reason: "code-superseded" };

export type TryRefusal =
  | { reason: "wrong-code"; triesLeft: number }
  | OverRefusal
  | ShutRefusal
  | { reason: "no-request" };

type TryQuota = { triedAts: number[]; pausedUntil: number | null };

/** May another code be mailed? The statement that takes it repeats this decision; `full`: its quotas without room, first things first. */
export function judgeSend(quota: TryQuota & { full: Full[] }, now: number): SendRefusal | null {
  return judgeTries(quota, now) ?? quota.full[0] ?? null;
}

/** May this browser try a code for this address at all? */
export function judgeTries(quota: TryQuota, now: number): ShutRefusal | null {
  if (quota.pausedUntil !== null && quota.pausedUntil > now) return { reason: "paused", retryAt: quota.pausedUntil };
  const freeAt = whenFree(quota.triedAts, triesPerHourMax, now);
  return freeAt === null ? null : { reason: "too-many-tries", retryAt: freeAt };
}

/** Why a code that isn't live any more is refused. Null: it is live. */
export function judgeCode(code: Pick<Code, "state" | "expiresAt">, now: number): OverRefusal | null {
  switch (code.state) {
    case "used":
      return { reason: "code-used" };
    case "exhausted":
      return { reason: "code-exhausted" };
    case "superseded":
      return { reason: "code-superseded" };
    case "expired":
      return { reason: "code-expired" };
    case "issued":
      return code.expiresAt <= now ? { reason: "code-expired" } : null;
  }
}

/** Why a code isn't taken. The budget comes before the code, so that a guess too many learns nothing of it. Null: it may be tried. */
export function judgeTry(
  code: Pick<Code, "state" | "expiresAt"> | null,
  quota: TryQuota,
  now: number,
): ShutRefusal | OverRefusal | null {
  return judgeTries(quota, now) ?? (code && judgeCode(code, now));
}

/** Why a request can't be answered with something else than its code: wrong tries end the code, not the request. */
export function judgeRequest(code: Pick<Code, "state" | "expiresAt">, now: number): OverRefusal | null {
  return code.state === "exhausted" && code.expiresAt > now ? null : judgeCode(code, now);
}

/** Tries left as the page shows them: the smaller of the code's and the hour's. */
export function triesLeft(code: Pick<Code, "wrongTries">, triedAts: number[], now: number): number {
  const inHour = triedAts.filter((at) => at > now - quotaWindowMs).length;
  return Math.max(0, Math.min(triesPerCodeMax - code.wrongTries, triesPerHourMax - inHour));
}

/** When the sliding hour has room again; null when it has room now. */
export function whenFree(usedAts: number[], max: number, now: number): number | null {
  const within = usedAts.filter((at) => at > now - quotaWindowMs).sort((a, b) => a - b);
  if (within.length < max) return null;
  return (within[within.length - max] ?? now) + quotaWindowMs;
}

/**
 * The names under which quotas are counted: keyed hashes, so that the tables hold no addresses beyond their day. Emails count by the
 * mailbox (plus tags, a provider's dots and its other domains lead to the same one), tries by the address, which is what a code is for.
 */
export async function codeQuotas(pepper: string, canonical: string, browserHash: string) {
  const [addressHash, mails, tries, knownMails, knownTries] = await Promise.all([
    keyedHash(pepper, "address", canonical),
    keyedHash(pepper, "mails of mailbox", mailboxOf(canonical)),
    keyedHash(pepper, "tries", canonical),
    keyedHash(pepper, "mails of known browser", `${canonical}\n${browserHash}`),
    keyedHash(pepper, "tries of known browser", `${canonical}\n${browserHash}`),
  ]);
  return { addressHash, stranger: { mails, tries }, known: { mails: knownMails, tries: knownTries } };
}

export type CodeQuotas = Awaited<ReturnType<typeof codeQuotas>>;

/** Those that count in a browser: its own where it signed in to the address before. */
export function quotasThatCount(quotas: CodeQuotas, isKnown: boolean) {
  return isKnown ? quotas.known : quotas.stranger;
}
