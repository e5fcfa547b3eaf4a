/**
 * Decides the states of a referral and which visit counts. Invariants: a friend's browser stores the first valid link for a limited time;
 * the account that signs up is attributed to one referrer permanently; rewards depend on payments, never on visits. Called from the
 * commands of this module and the landing page.
 */
import { type Random, toBase32 } from "#app/core/id.ts";
import { dayMs, hourMs } from "#app/core/time/time.ts";

/** States of a referral. */
export const referralStates = ["signed-up", "qualified", "waiting", "approved", "void", "under-review"] as const;
export type ReferralState = (typeof referralStates)[number];

/**
 * The transitions of a referral. A visit is no row; the browser's store has it. What isn't listed can't happen. Qualified: the friend has
 * paid enough, and isn't checked yet; waiting: for the end of the holding period.
 */
export const transitions: Record<"visited" | ReferralState, readonly ReferralState[]> = {
  visited: ["signed-up", "under-review", "void"],
  "signed-up": ["qualified", "under-review", "void"],
  "under-review": ["signed-up", "void"],
  qualified: ["waiting", "void"],
  waiting: ["approved", "void"],
  approved: ["void"],
  void: [],
};

/** Why a referral doesn't count: the first four are found at the sign-up or first payment, the rest later. */
export const voidReasons = [
  "self",
  "circle",
  "returned",
  "same-card",
  "refund",
  "dispute",
  "cap",
  "review",
  "gone",
] as const;
export type VoidReason = (typeof voidReasons)[number];

/** Months in which a friend's discount waits for the first payment. */
export const discountMonths = 12;
/** Friends on the page, newest first. */
export const listedFriendsMax = 50;
/** Visits by links that are remembered per IPv4 address or IPv6 /64: each writes to the database and to KV. */
export const visitsPerNetworkMax = 30;
/** The window of `visitsPerNetworkMax`. */
export const visitWindowMs = hourMs;

/** 50 bits: short in a link, too many to guess. */
const codeLength = 10;

/** Ten characters: short in a link, too many to guess. A code grants nothing; it only identifies the link's owner. */
export function newReferralCode(random: Random): string {
  return toBase32(random(7)).slice(0, codeLength);
}

/** The code in a link, or null if it can't be one of ours, so that garbage costs no query. */
export function readReferralCode(text: string | null | undefined): string | null {
  return text && /^[0-9a-hjkmnp-tv-z]{10}$/.test(text) ? text : null;
}

/** The link that a browser opened first, and when. */
export type Touch = { code: string; at: number };

export function touchIsValid(touch: Touch | null, now: number, attributionDays: number): touch is Touch {
  return touch !== null && now - touch.at < attributionDays * dayMs;
}

type TouchVerdict = { touch: Touch; isNew: boolean };

/** First-touch attribution: the stored link counts for its term, then the one just opened. Unknown codes don't count. */
export function chooseTouch(
  remembered: Touch | null,
  asked: string | null,
  isUsable: (code: string) => boolean,
  now: number,
  attributionDays: number,
): TouchVerdict | null {
  if (touchIsValid(remembered, now, attributionDays) && isUsable(remembered.code))
    return { touch: remembered, isNew: false };
  return asked !== null && isUsable(asked) ? { touch: { code: asked, at: now }, isNew: true } : null;
}
