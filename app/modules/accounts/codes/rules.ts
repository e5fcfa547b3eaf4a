/**
 * Decides whether a code may be sent and whether one that was entered is accepted. Invariants: a code proves one address, for one
 * purpose, in one browser; wrong tries count per address and network across codes and cookies, and sending another code doesn't reset them;
 * so many codes are emailed to an address (email-quotas.rules.ts) that all networks together have no more than 25 tries in an hour; a browser that signed in to the address before has its own quota, so that strangers can't lock the owner out. Called from the sign-in,
 * sign-up, re-authentication and change-of-address commands. Email limits: email-quotas.rules.ts.
 */
import type { SensitiveAction } from "#app/core/sensitive-action.ts";
import type { AccountId, EmailId, EntryId, RequestId } from "#app/core/id.ts";
import { keyedHash } from "#app/core/hash.ts";
import { mailboxOf } from "#app/core/text/email-address.ts";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { type Full, networkPartOf, quotaWindowMs } from "./email-quotas.rules.ts";

/** What a code is for. */
export const purposes = ["sign-up", "sign-in", "change-email", "reauthentication"] as const;
export type Purpose = (typeof purposes)[number];

/** Whether proving an address creates its account if there is none. */
export const createsAccount: Record<Purpose, boolean> = {
  "sign-up": true,
  "sign-in": false,
  "change-email": false,
  reauthentication: false,
};

/** Only the requesting browser may complete it. Sign-up and sign-in may also be completed in the browser where the email was opened. */
export function staysInBrowser(purpose: Purpose): purpose is "change-email" | "reauthentication" {
  return purpose === "change-email" || purpose === "reauthentication";
}

export const codeStates = ["issued", "used", "expired", "exhausted", "superseded"] as const;
type CodeState = (typeof codeStates)[number];

/** Lifetime of a code from when its email was sent. */
export const codeLifeMs = 10 * minuteMs;
export const triesPerCodeMax = 5;
/** Wrong tries of an address in an hour, over all codes that one network asked for. */
export const triesPerHourMax = 10;
/** Wrong tries in a row that pause an address, for codes that the same network asks for. */
export const wrongStreakMax = 100;
export const streakPauseMs = dayMs;
/** How long a streak of wrong tries is stored after the last one. */
export const streakRetentionMs = 30 * dayMs;
/** How long a browser is known and keeps its cookie. */
export const knownBrowserMs = 400 * dayMs;
/** Valid codes per purpose: a code from a delayed first email still works. */
export const liveCodesMax = 2;
/** How long codes are stored, for the quotas and for the answer "already used". */
export const codeRetentionMs = dayMs;

export type Code = {
  id: RequestId;
  address: string;
  addressTyped: string;
  purpose: Purpose;
  /** SHA-256 of the requesting browser's cookie. */
  browserHash: string;
  state: CodeState;
  codeHash: string;
  wrongTries: number;
  carried: Carried;
  createdAt: number;
  expiresAt: number;
  /** The account of a change of address or re-authentication. */
  accountId: AccountId | null;
  /** Null if the email quota was used up: the request then waits for a passkey. */
  emailId: EmailId | null;
};

/** Form data to use after the address is proven. Untrusted: each reader validates its part again. */
export type Carried = {
  planId?: string;
  interval?: string;
  redirectTo?: string;
  termsVersion?: string;
  referralCode?: string;
  /** The entry whose invitation opened the form; its link is derived from the id and not stored. */
  entryId?: EntryId;
  action?: SensitiveAction;
  /** Fields of the form that a re-authentication interrupted, so that the user needn't type them again. */
  typed?: Record<string, string>;
  /** The address was typed in another browser; this one shows it masked. */
  typedElsewhere?: true;
};

/** Until `retryAt` this browser can't use any code of this address, not even the right one. */
export type TriesPausedRefusal = { reason: "too-many-tries"; retryAt: number } | { reason: "paused"; retryAt: number };

/** An email is refused whenever its code would be: no code is sent that can't be used. */
export type SendRefusal = Full | TriesPausedRefusal;

export type OverRefusal =
  | { reason: "code-expired" }
  | { reason: "code-exhausted" }
  | { reason: "code-used" }
  | { reason: "code-superseded" };

export type TryRefusal =
  | { reason: "wrong-code"; triesLeft: number }
  | OverRefusal
  | TriesPausedRefusal
  | { reason: "no-request" };

type TryQuota = { triedAts: number[]; pausedUntil: number | null };

/** May another code be sent? The SQL statement repeats this decision. `full`: quotas without room, most important first. */
export function checkSend(quota: TryQuota & { full: Full[] }, now: number): SendRefusal | null {
  return checkTries(quota, now) ?? quota.full[0] ?? null;
}

/** May this browser try codes for this address at all? */
export function checkTries(quota: TryQuota, now: number): TriesPausedRefusal | null {
  if (quota.pausedUntil !== null && quota.pausedUntil > now) return { reason: "paused", retryAt: quota.pausedUntil };
  const freeAt = nextFreeAt(quota.triedAts, triesPerHourMax, now);
  return freeAt === null ? null : { reason: "too-many-tries", retryAt: freeAt };
}

/** Why a code is no longer valid. Null if it still is. */
export function checkCode(code: Pick<Code, "state" | "expiresAt">, now: number): OverRefusal | null {
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

/** Why a code isn't accepted. Null if it may be tried. The quota is checked before the code, so that a guess beyond it learns nothing. */
export function checkTry(
  code: Pick<Code, "state" | "expiresAt"> | null,
  quota: TryQuota,
  now: number,
): TriesPausedRefusal | OverRefusal | null {
  return checkTries(quota, now) ?? (code && checkCode(code, now));
}

/** Why a request can't be completed by other means than its code: wrong tries invalidate the code, not the request. */
export function checkRequest(code: Pick<Code, "state" | "expiresAt">, now: number): OverRefusal | null {
  return code.state === "exhausted" && code.expiresAt > now ? null : checkCode(code, now);
}

/** Tries left as the page shows them: the lower of the code's and the hour's. */
export function triesLeft(code: Pick<Code, "wrongTries">, triedAts: number[], now: number): number {
  const inHour = triedAts.filter((at) => at > now - quotaWindowMs).length;
  return Math.max(0, Math.min(triesPerCodeMax - code.wrongTries, triesPerHourMax - inHour));
}

/** When the sliding hour has room again; null when it has room now. */
function nextFreeAt(usedAts: number[], max: number, now: number): number | null {
  const within = usedAts.filter((at) => at > now - quotaWindowMs).sort((a, b) => a - b);
  if (within.length < max) return null;
  return (within[within.length - max] ?? now) + quotaWindowMs;
}

/**
 * The names under which quotas are counted: keyed hashes, so that no addresses outlive their day in the tables. Emails count by mailbox
 * (plus tags, dots and alias domains lead to the same one), tries by address, which is what a code proves, and by the network that asked
 * for the code: one network can't use up another's.
 */
export async function codeQuotas(pepper: string, canonical: string, browserHash: string, ip: string) {
  const [addressHash, emails, address, knownEmails, known] = await Promise.all([
    addressHashOf(pepper, canonical),
    keyedHash(pepper, "emails of mailbox", mailboxOf(canonical)),
    keyedHash(pepper, "tries", canonical),
    keyedHash(pepper, "emails of known browser", `${canonical}\n${browserHash}`),
    keyedHash(pepper, "tries of known browser", `${canonical}\n${browserHash}`),
  ]);
  return {
    addressHash,
    stranger: { emails, address, tries: await networkPartOf(pepper, address, ip) },
    known: { emails: knownEmails, address: known, tries: known },
  };
}

/** By which an address's known browsers are found. */
export function addressHashOf(pepper: string, canonical: string): Promise<string> {
  return keyedHash(pepper, "address", canonical);
}

export type CodeQuotas = Awaited<ReturnType<typeof codeQuotas>>;

/** The quotas that apply in a browser: its own if it signed in to the address before. */
export function applicableQuotas(quotas: CodeQuotas, isKnown: boolean) {
  return isKnown ? quotas.known : quotas.stranger;
}
