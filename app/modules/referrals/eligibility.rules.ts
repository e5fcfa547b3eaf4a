/**
 * Decides whether a sign-up counts as a referral. Invariant: the friend must be a new customer and a different person than the referrer.
 * What addresses show is checked when the account is created; what cards show, once the friend has paid. Called from `attributeReferral`,
 * the reward's steps and `checkOwnCards`.
 */
import { mailboxOf } from "#app/core/text/email-address.ts";
import { dayMs, hourMs } from "#app/core/time/time.ts";
import type { VoidReason } from "./rules.ts";

/** Sign-ups by one link from one network, such as a family; more are reviewed. */
export const signUpsPerNetworkMax = 3;
/** The window of `signUpsPerNetworkMax`. */
export const networkWindowMs = hourMs;
/** A review that no operator has decided ends after this. */
export const reviewMs = 7 * dayMs;

type FriendFacts = {
  /** Canonical. */
  address: string;
  /** This mailbox has, or had, another account. */
  isReturned: boolean;
};

type ReferrerFacts = {
  /** Every canonical address that the referrer has or had. */
  addresses: string[];
  /** The addresses of the referrer's own referrer. */
  earlierReferrers: string[];
};

/** What addresses show at the sign-up: the friend's mailbox has, or had, another account. */
export const knownMailboxReasons: readonly VoidReason[] = ["self", "circle", "returned"];

/** Why a sign-up by a referral link doesn't count. Null if it does. */
export function checkSignUp(friend: FriendFacts, referrer: ReferrerFacts): VoidReason | null {
  const mailbox = mailboxOf(friend.address);
  const isOneOf = (addresses: string[]) => addresses.some((address) => mailboxOf(address) === mailbox);
  if (isOneOf(referrer.addresses)) return "self";
  if (isOneOf(referrer.earlierReferrers)) return "circle";
  return friend.isReturned ? "returned" : null;
}

/** Writes `referrals.cards`: each hash between bars, so that a statement finds one by `instr`. Hashes contain no bar. */
export function writeCards(hashes: readonly string[]): string {
  return `|${hashes.join("|")}|`;
}

export function readCards(text: string | null): string[] {
  return (text ?? "").split("|").filter((hash) => hash !== "");
}

/** The cards of three people, as keyed hashes: the friend, the referrer, and the referrer's own referrer. */
type Cards = { friend: string[]; referrer: string[]; earlierReferrers: string[] };

/** What the cards alone show. Whether another friend of the referrer paid with the same card, the SQL statement checks. */
export function checkCards({ friend, referrer, earlierReferrers }: Cards): VoidReason | null {
  const isOneOf = (cards: string[]) => friend.some((card) => cards.includes(card));
  if (isOneOf(earlierReferrers)) return "circle";
  return isOneOf(referrer) ? "same-card" : null;
}
