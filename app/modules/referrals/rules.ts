/**
 * Decides the states of a referral and which visit counts. Invariants: a friend's browser stores the first valid link for a limited time;
 * the account that signs up is attributed to one referrer permanently; rewards depend on payments, never on visits. Called from the
 * commands of this module and the landing page.
 */
import { dayMs, hourMs } from "#app/core/time/time.ts";

export const referralStates = ["signed-up", "qualified", "waiting", "approved", "void", "under-review"] as const;
export type ReferralState = (typeof referralStates)[number];

/**
 * The transitions of a referral. What isn't listed can't happen. A visit has no row: only the browser's store has it. `qualified`: the
 * friend has paid enough, and isn't checked yet. `waiting`: for the end of the holding period.
 */
export const referralTransitions: Record<"visited" | ReferralState, readonly ReferralState[]> = {
  visited: ["signed-up", "under-review", "void"],
  "signed-up": ["qualified", "under-review", "void"],
  "under-review": ["signed-up", "void"],
  qualified: ["waiting", "void"],
  waiting: ["approved", "void"],
  approved: ["void"],
  void: [],
};

/** Why a referral doesn't count. */
export const voidReasons = [
  // At the sign-up: the referrer's own mailbox, a referrer whom this friend referred, a mailbox that had an account before.
  "self",
  "circle",
  "returned",
  // At the first payment or later: paid with a card of the referrer or of an earlier account.
  "same-card",
  // Later: the payment was returned, or disputed.
  "refund",
  "dispute",
  // The referrer has had all rewards of a year, an operator refused the sign-up, or one of the two accounts was closed.
  "cap",
  "review",
  "account-erased",
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

/** The link that a browser opened first, and when. `isCounted`: its owner sees the visit in a number. */
export type Touch = { code: string; at: number; isCounted?: boolean };

export function touchIsValid(touch: Touch | null, now: number, attributionDays: number): touch is Touch {
  return touch !== null && now - touch.at < attributionDays * dayMs;
}

type TouchVerdict = { touch: Touch; isNew: boolean };

/** First-touch attribution: the stored link counts for its term, then the one just opened. Unknown codes don't count. */
export function chooseTouch(
  remembered: Touch | null,
  wanted: string | null,
  isUsable: (code: string) => boolean,
  now: number,
  attributionDays: number,
): TouchVerdict | null {
  if (touchIsValid(remembered, now, attributionDays) && isUsable(remembered.code))
    return { touch: remembered, isNew: false };
  return wanted !== null && isUsable(wanted) ? { touch: { code: wanted, at: now }, isNew: true } : null;
}
