/**
 * Decides what counts as an account, a valid session and a recent proof of identity. Invariants: no account exists before its address is
 * proven, each canonical address has at most one, and a session is stored by the hash of its token alone. Called from the commands of
 * this module and from every route's session check.
 */
import type { AccountId, SessionId } from "#app/core/id.ts";
import type { Code } from "#app/modules/codes/rules.ts";
import type { EmailKind } from "#app/modules/email/rules.ts";
import * as v from "valibot";
import { keyedHash } from "#app/core/digest.ts";
import { parseEmailAddress, parseStoredAddress } from "#app/core/text/email-address.ts";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { text } from "#app/core/text/text.ts";
import { readTimeZone } from "#app/core/time/time-zone.ts";

/** States of an account. A closed account that is pending deletion is stored as `leaving`, an erased one as `gone`. */
export const accountStates = ["active", "leaving", "gone"] as const;
type AccountState = (typeof accountStates)[number];
/** States of a session. */
export const sessionStates = ["active", "signed-out", "revoked", "expired", "rotated"] as const;
export type SessionState = (typeof sessionStates)[number];

/** A session ends this long after its last use. */
export const sessionIdleMs = 14 * dayMs;
/** A session ends this long after it began, used or not. */
export const sessionAbsoluteMs = 90 * dayMs;
/** The last use is written at most this often: once per visit, not per click. */
export const lastUseGrainMs = 5 * minuteMs;
/** How long a proof (sign-in, sign-up, code, passkey) allows sensitive actions. */
export const reauthenticationMs = 15 * minuteMs;

/** How dates, times and money are formatted; the language of the text is a separate matter. */
// oxfmt-ignore
export const locales = [
  "en", "en-GB", "en-US", "en-IE", "cs-CZ", "da-DK", "de-AT", "de-CH", "de-DE", "es-ES", "fi-FI", "fr-CH", "fr-FR",
  "it-IT", "ja-JP", "nb-NO", "nl-NL", "pl-PL", "pt-BR", "pt-PT", "sv-SE",
] as const;

export type Account = {
  id: AccountId;
  state: AccountState;
  email: string;
  name: string | null;
  locale: string;
  timeZone: string;
  createdAt: number;
  /** Set while the account is closed: until then its owner can restore it. */
  leavingUntil: number | null;
  /** Optional emails that the owner switched off. */
  emailsOff: EmailKind[];
};

export type Session = {
  id: SessionId;
  device: string;
  place: string | null;
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
 * The signed-in user: account, session, and whether the plan has an overdue payment. `hasPlan`: a plan that hasn't ended, paid or not;
 * undefined where the page doesn't ask.
 */
export type Viewer = { account: Account; session: Session; due: PlanDue | null; hasPlan?: boolean };

/** Since when, in milliseconds, and whether the plan is locked. */
type PlanDue = { since: number; isLocked: boolean };

/**
 * May this session perform sensitive actions (address, passkeys, sessions, closing the account), or must the user re-authenticate first?
 */
export function isReauthenticated(session: Pick<Session, "provenAt">, now: number): boolean {
  return now - session.provenAt < reauthenticationMs;
}

/** A keyed hash by which the address of an erased account is recognised; the table holds no addresses. */
export function deletedAddressHash(pepper: string, canonical: string): Promise<string> {
  return keyedHash(pepper, "tombstone", canonical);
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
  v.nonEmpty("email-missing"),
  v.maxLength(addressLengthMax, "email-malformed"),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const parsed = parseEmailAddress(dataset.value);
    if (parsed) return parsed;
    addIssue({ message: "email-malformed" });
    return NEVER;
  }),
);

const zoneField = v.pipe(
  text({ missing: "time-zone-unknown", malformed: "time-zone-unknown" }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const zone = readTimeZone(dataset.value);
    if (zone) return zone;
    addIssue({ message: "time-zone-unknown" });
    return NEVER;
  }),
);

const word = v.optional(v.pipe(text(), v.maxLength(100, "too-long")));
const path = v.optional(v.pipe(text(), v.maxLength(2000, "too-long")));

export const signUpForm = v.object({
  email: emailField,
  terms: v.literal("on", "terms-missing"),
  plan: word,
  interval: word,
  redirectTo: path,
  invitation: word,
  ref: word,
});

/** The authenticator's response as JSON, parsed by the passkeys module; absent if no script ran. */
const passkeyAnswer = v.optional(text());

/** Sign-in with an address, or by `intent` with a passkey. */
export const logInForm = v.variant(
  "intent",
  [
    v.object({ intent: v.literal("passkey"), passkey: passkeyAnswer, redirectTo: path }),
    v.object({ intent: v.optional(v.undefined()), email: emailField, redirectTo: path }),
  ],
  "intent-unknown",
);

export const verifyForm = v.object({
  intent: v.optional(v.picklist(["resend", "change-address", "continue-here", "passkey"], "intent-unknown")),
  passkey: passkeyAnswer,
  code: v.optional(v.pipe(text({ malformed: "code-malformed" }), v.maxLength(100, "code-malformed"))),
  /** The browser's time zone, for a new account. */
  timeZone: v.optional(text()),
  /** With `continue-here`, for a new account. */
  terms: v.optional(v.literal("on", "terms-missing")),
});

/** A checkbox: unchecked, the browser sends nothing. */
const emailSwitch = v.pipe(
  v.optional(v.picklist(["on", "off"], "switch-unknown"), "off"),
  v.transform((sent) => sent === "on"),
);
const emailSwitches = { renewals: emailSwitch, rewards: emailSwitch, usage: emailSwitch } satisfies Record<
  EmailKind,
  typeof emailSwitch
>;

/** Every form of `/settings`; the intent decides which fields apply. */
export const overviewForm = v.variant(
  "intent",
  [
    v.object({
      intent: v.literal("profile"),
      name: v.pipe(text({ missing: "name-missing" }), v.maxLength(80, "name-too-long")),
      locale: v.optional(v.picklist(locales, "locale-unknown")),
      timeZone: zoneField,
    }),
    v.object({ intent: v.literal("mails"), ...emailSwitches }),
    v.object({ intent: v.literal("change-email"), email: emailField }),
    v.object({ intent: v.literal("end-session"), session: v.pipe(text(), v.maxLength(100, "too-long")) }),
    v.object({ intent: v.literal("end-other-sessions") }),
    v.object({
      intent: v.literal("add-passkey"),
      name: v.optional(v.pipe(text(), v.maxLength(80, "name-too-long")), ""),
      passkey: passkeyAnswer,
    }),
    v.object({ intent: v.literal("remove-passkey"), passkey: v.pipe(text(), v.maxLength(100, "too-long")) }),
    v.object({ intent: v.picklist(["delete", "restore"]) }),
    v.object({ intent: v.literal("appearance"), theme: v.picklist(["system", "light", "dark"], "theme-unknown") }),
  ],
  "intent-unknown",
);
