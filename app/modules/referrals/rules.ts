/**
 * The referrals module: who brought whom. A person's link is remembered in a friend's browser for a while; the friend who
 * signs up is attributed to that person, once and for good. Rewards follow real money, never a visit.
 */
import { type Random, toBase32 } from "#app/core/id.ts";
import { dayMs, hourMs } from "#app/core/time/time.ts";

export type ReferralState = "signed-up" | "under-review" | "qualified" | "waiting" | "approved" | "void";

/**
 * Where a referral may go. It begins with a visit, which is no row: a browser remembers it. What is absent here can't happen.
 * Qualified: the friend has paid enough, and who they are isn't judged so far; waiting: until the money was kept for its days.
 */
export const moves: Record<"visited" | ReferralState, readonly ReferralState[]> = {
  visited: ["signed-up", "under-review", "void"],
  "signed-up": ["qualified", "under-review", "void"],
  "under-review": ["signed-up", "void"],
  qualified: ["waiting", "void"],
  waiting: ["approved", "void"],
  approved: ["void"],
  void: [],
};

/** States of a referral. */
export const referralStates = (Object.keys(moves) as (keyof typeof moves)[]).filter((state) => state !== "visited");

/** The states from which a referral may come to `to`: the WHERE of the statement that moves it. */
export function statesBefore(to: ReferralState): ReferralState[] {
  return referralStates.filter((from) => moves[from].includes(to));
}

/** Why a friend counts for nothing: the first four are known at the sign-up or with the first payment, the rest comes later. */
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
const codeLetters = 10;

/** Ten letters, 50 bits: short in a link, too many to be tried. A code opens nothing; it only says whose link it was. */
export function newReferralCode(random: Random): string {
  return toBase32(random(7)).slice(0, codeLetters);
}

/** The code as it came in a link, or null when it can't be one of ours: nothing is looked up for garbage. */
export function readReferralCode(text: string | null | undefined): string | null {
  return text && /^[0-9a-hjkmnp-tv-z]{10}$/.test(text) ? text : null;
}

/** Whose link a browser opened, and when first. */
export type Touch = { code: string; at: number };

export function touchLives(touch: Touch | null, now: number, attributionDays: number): touch is Touch {
  return touch !== null && now - touch.at < attributionDays * dayMs;
}

type TouchVerdict = { touch: Touch; isNew: boolean };

/** First valid touch: what is remembered wins for its days, then the link just opened. Codes that nobody has don't count. */
export function chooseTouch(
  remembered: Touch | null,
  asked: string | null,
  isUsable: (code: string) => boolean,
  now: number,
  attributionDays: number,
): TouchVerdict | null {
  if (touchLives(remembered, now, attributionDays) && isUsable(remembered.code))
    return { touch: remembered, isNew: false };
  return asked !== null && isUsable(asked) ? { touch: { code: asked, at: now }, isNew: true } : null;
}
