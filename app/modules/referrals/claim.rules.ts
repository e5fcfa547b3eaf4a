/**
 * Who counts as brought by somebody: a person who wasn't here before, and isn't the one who brought them. What can be told from
 * addresses is judged when the account is made; what can be told from cards, when the friend has paid.
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

type Claimant = {
  /** Canonical. */
  address: string;
  /** Somebody with this mailbox has an account, or had one. */
  isReturned: boolean;
};

type Bringer = {
  /** Every canonical address that they have or had. */
  addresses: string[];
  /** Of whoever brought them in their turn. */
  broughtBy: string[];
};

/** What addresses tell at the sign-up: the friend's mailbox has, or had, another account. */
export const knownMailboxReasons: readonly VoidReason[] = ["self", "circle", "returned"];

/** Why a sign-up by somebody's link counts for nothing; null: it counts. */
export function judgeClaim(friend: Claimant, bringer: Bringer): VoidReason | null {
  const mailbox = mailboxOf(friend.address);
  const isOneOf = (addresses: string[]) => addresses.some((address) => mailboxOf(address) === mailbox);
  if (isOneOf(bringer.addresses)) return "self";
  if (isOneOf(bringer.broughtBy)) return "circle";
  return friend.isReturned ? "returned" : null;
}

/** Cards by which three people paid, as keyed hashes: the friend, whoever brought them, and whoever brought those. */
export type Cards = { friend: string[]; bringer: string[]; broughtBy: string[] };

/** What cards alone can tell. That another friend of the bringer paid by the same one, the table says in the statement itself. */
export function judgeCards({ friend, bringer, broughtBy }: Cards): VoidReason | null {
  const isOneOf = (cards: string[]) => friend.some((card) => cards.includes(card));
  if (isOneOf(broughtBy)) return "circle";
  return isOneOf(bringer) ? "same-card" : null;
}
