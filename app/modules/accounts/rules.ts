/**
 * Decides what counts as an account, a valid session and a recent proof of identity. Invariants: no account exists before its address is
 * proven, each canonical address has at most one, and a session is stored by the hash of its token alone. Called from the commands of
 * this module and from every route's session check.
 */
import type { AccountId, OrderId, SessionId } from "#app/core/id.ts";
import type { Code } from "#app/modules/accounts/codes/rules.ts";
import type { EmailKind } from "#app/modules/email/rules.ts";
import * as v from "valibot";
import { keyedHash } from "#app/core/hash.ts";
import { parseEmailAddress, parseStoredAddress } from "#app/core/text/email-address.ts";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { text } from "#app/core/text/text.ts";

export const accountStates = ["active", "closed", "erased"] as const;
export type AccountState = (typeof accountStates)[number];

/** Closed by its owner, who can restore it until `restorableUntil`; erased after that. */
export function isAccountClosed({ state }: { state: AccountState }): boolean {
  return state === "closed";
}

export const sessionStates = ["active", "signed-out", "revoked", "expired", "rotated"] as const;
export type SessionState = (typeof sessionStates)[number];

export const sessionIdleMs = 14 * dayMs;
/** A session ends this long after it began, used or not. */
export const sessionAbsoluteMs = 90 * dayMs;
/** The last use is written at most this often: once per visit, not per click. */
export const lastUseUpdateIntervalMs = 5 * minuteMs;
/** How long a proof (sign-in, sign-up, code, passkey) allows sensitive actions. */
export const reauthenticationMs = 15 * minuteMs;

export const signInMethods = ["code", "passkey"] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** How dates, times and amounts are written, all in English: 20 November 2026, November 20, 2026, 2026-11-20. */
export const locales = ["en-GB", "en-US", "en-CA"] as const;

/** What users choose from: `locales`, after the product's own if it isn't one of them because its pages are in another language. */
export function localesOf({ locale }: { locale: string }): readonly string[] {
  return locales.some((known) => known === locale) ? locales : [locale, ...locales];
}

export type Account = {
  id: AccountId;
  state: AccountState;
  email: string;
  name: string | null;
  locale: string;
  timeZone: string;
  createdAt: number;
  /** Set while the account is closed: until then its owner can restore it. */
  restorableUntil: number | null;
  /** Optional emails that the owner switched off. */
  emailsOff: EmailKind[];
};

export type Session = {
  id: SessionId;
  device: string;
  country: string | null;
  provenAt: number;
  lastUsedAt: number;
  expiresAt: number;
};

/** The canonical address: the one form that identifies an account. */
export function canonicalOf({ email }: Pick<Account, "email">): string {
  const address = parseStoredAddress(email);
  return address.canonical;
}

/**
 * The signed-in user: account, session, and the plan's overdue payment if there is one. `hasPlan` says whether there is a plan that hasn't
 * ended, paid or not. It is undefined where the page doesn't ask.
 */
export type Viewer = { account: Account; session: Session; due: PaymentDue | null; hasPlan?: boolean };

/** `since` is a time in milliseconds. `toConfirm` is the order whose payment only has to be confirmed, if that is all that is missing. */
type PaymentDue = { since: number; isLocked: boolean; toConfirm: OrderId | null };

/**
 * May this session perform sensitive actions (address, passkeys, sessions, closing the account), or must the user re-authenticate first?
 */
export function isReauthenticated(session: Pick<Session, "provenAt">, now: number): boolean {
  return now - session.provenAt < reauthenticationMs;
}

/** A keyed hash by which the address of an erased account is recognised; the table holds no addresses. */
export function deletedAddressHash(pepper: string, canonical: string): Promise<string> {
  return keyedHash(pepper, "deleted-address", canonical);
}

/** Form fields to fill in again: from the form that a re-authentication interrupted, while it is recent, or an address to be corrected. */
export function typedBefore(viewer: Viewer, request: Code | undefined, now: number): Record<string, string> {
  if (request?.accountId !== viewer.account.id) return {};
  if (request.purpose === "change-email") return { email: request.addressTyped };
  return request.state === "used" && isReauthenticated(viewer.session, now) ? (request.carried.typed ?? {}) : {};
}

/** Longest value that forms accept; 254 is an address's own limit, the rest is room for blanks around it. */
const addressLengthMax = 320;

export const emailField = v.pipe(
  text({ missing: "email-missing", malformed: "email-malformed" }),
  // Joiners and other characters that show as nothing, which text may contain and an address can't.
  v.transform((typed) => typed.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")),
  v.nonEmpty("email-missing"),
  v.maxLength(addressLengthMax, "email-malformed"),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const parsed = parseEmailAddress(dataset.value);
    if (parsed) return parsed;
    addIssue({ message: "email-malformed" });
    return NEVER;
  }),
);

/** The authenticator's response as JSON, parsed by the passkeys module; absent if no script ran. */
export const passkeyAnswer = v.optional(text());

/** Characters of a name: the profile's, and a passkey's. */
export const nameLengthMax = 80;
