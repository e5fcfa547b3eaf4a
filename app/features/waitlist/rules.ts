/**
 * Decides the states of a waitlist entry and who may join. Invariants: an address has one entry per gate (sign-up as a whole, or one
 * plan), which waits only after it was proven; its position is computed on reading, never stored (queue.rules.ts); an address from which
 * an email came back gets none unasked. Called from the commands of this module, the waitlist pages and the operators' calls.
 */
import { keyedHash } from "#app/core/hash.ts";
import type { EntryId } from "#app/core/id.ts";
import { networksOf } from "#app/core/network.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { dayMs } from "#app/core/time/time.ts";
import { type AccountState, isAccountClosed } from "#app/modules/accounts/rules.ts";
import { emailReturns } from "#app/modules/email/rules.ts";
import type { SeenPositions } from "./seen-positions.rules.ts";

/** Of a row that doesn't exist: a query in a batch takes it when it has no argument. */
export const noEntry: EntryId = "ent_";

/** Why an address without an account gets no more emails unasked: one came back, or its owner unsubscribed. */
export const entryReturns = [...emailReturns, "unsubscribed"] as const;
export type EntryReturn = (typeof entryReturns)[number];

export const entryStates = ["pending", "waiting", "invited", "joined", "resting", "left", "rejected"] as const;
export type EntryState = (typeof entryStates)[number];
/** Whether an operator has to decide about an entry. */
export const entryReviews = ["none", "under-review"] as const;
export type EntryReview = (typeof entryReviews)[number];

/**
 * The transitions of an entry. An entry that left or wasn't confirmed in time may start again at the end; so may, from its page, one whose
 * owner had the plan and ended it.
 */
export const entryTransitions: Record<EntryState, readonly EntryState[]> = {
  pending: ["pending", "waiting", "rejected"],
  waiting: ["invited", "joined", "left", "rejected"],
  invited: ["waiting", "joined", "resting", "left", "rejected"],
  resting: ["waiting", "joined", "left", "rejected"],
  joined: ["waiting"],
  left: ["pending", "waiting"],
  rejected: [],
};

/** How long an abandoned entry is stored, so that its links can say so. */
export const leftEntryRetentionMs = 30 * dayMs;
/** How long a wave of invitations is stored. */
export const waveRetentionMs = 400 * dayMs;
/** How long an emailed link can confirm. */
export const confirmLifeMs = 7 * dayMs;

export type Entry = {
  id: EntryId;
  gate: string;
  state: EntryState;
  email: string;
  emailCanonical: string;
  shareCode: string;
  referrerEntryId: EntryId | null;
  createdAt: number;
  confirmExpiresAt: number;
  confirmedAt: number | null;
  review: EntryReview;
  number: number | null;
  /** Friends that count. */
  friends: number;
  looks: SeenPositions | null;
  invitations: number;
  missed: number;
  invitationExpiresAt: number | null;
  acceptedAt: number | null;
  returned: EntryReturn | null;
};

/** The page of the waitlist, without the site's address. */
export const waitlistPath = "/waitlist";

export type JoinRefusal =
  | { reason: "no-gate" }
  | { reason: "list-full" }
  | { reason: "has-account" }
  | { reason: "account-closed" };

type Who = "visitor" | "account" | "closed-account";

export function joinerOf(account: { state: AccountState } | null): Who {
  if (!account) return "visitor";
  return isAccountClosed(account) ? "closed-account" : "account";
}

/** The gate that can be joined now, or why none can. An account has passed the gate of sign-up; a closed one has to be restored first. */
export function checkGate(
  gate: string | null,
  list: "open" | "full" | undefined,
  who: Who,
): Result<string, JoinRefusal> {
  if (who === "closed-account") return refused({ reason: "account-closed" });
  if (gate === null) return refused({ reason: "no-gate" });
  if (gate === "signup" && who === "account") return refused({ reason: "has-account" });
  return list === "full" ? refused({ reason: "list-full" }) : done(gate);
}

/** What joining does to the entry of this address: a new start, the same request again, or nothing. */
export function joinVerdict(
  entry: Pick<Entry, "state" | "confirmExpiresAt"> | null,
  now: number,
): "begin" | "again" | "exists" {
  if (!entry || entry.state === "left") return "begin";
  if (entry.state !== "pending") return "exists";
  return entry.confirmExpiresAt > now ? "again" : "begin";
}

export type LinkVerdict = "open" | "expired" | "confirmed" | "left";

/** What a confirmation link allows. */
export function linkVerdict(entry: Pick<Entry, "state" | "confirmExpiresAt">, now: number): LinkVerdict {
  if (entry.state === "left") return "left";
  if (entry.state !== "pending") return "confirmed";
  return entry.confirmExpiresAt > now ? "open" : "expired";
}

/** The links that led to the entry: a friend's share code on the waitlist, and a referral link stored in the browser. */
export type Referrers = { ref: string | null; touch: { code: string; at: number } | null };

export const noReferrers: Referrers = { ref: null, touch: null };

/**
 * Referrers are part of the emailed link until the address is proven: any visitor can type an address, and only the link that its owner
 * confirms decides. Share codes contain neither i nor l.
 */
export function writeLink(token: string, { ref, touch }: Referrers): string {
  return `${token}${ref === null ? "" : `i${ref}`}${touch === null ? "" : `l${touch.code}${touch.at.toString(36)}`}`;
}

const linkPattern = /^([0-9a-z]{52})(?:i([0-9a-hjkmnp-tv-z]{10}))?(?:l([0-9a-hjkmnp-tv-z]{10})([0-9a-z]{1,9}))?$/;

/** Parses an emailed link. A malformed one is taken as a token, which matches nothing. */
export function readLink(link: string): { token: string; referrers: Referrers } {
  const [, token, ref, touched, at] = linkPattern.exec(link) ?? [];
  if (token === undefined) return { token: link, referrers: noReferrers };
  const touch = touched === undefined ? null : { code: touched, at: Number.parseInt(at ?? "0", 36) };
  return { token, referrers: { ref: ref ?? null, touch } };
}

/** Friends of one entry from one network within `networkRetentionMs`, such as a family; more are reviewed. */
export const friendsPerNetworkMax = 3;
/** How long the keyed hash of a network is kept. */
export const networkRetentionMs = dayMs;

/** The confirming network: the whole IPv4 address, or the IPv6 /48, which one customer may have. */
export async function networkHash(pepper: string, ip: string | null): Promise<string | null> {
  if (ip === null) return null;
  const networks = networksOf(ip);
  const { network } = networks.find(({ bits }) => bits === 48) ?? networks[0] ?? { network: ip };
  return keyedHash(pepper, "waitlist network", network);
}

/**
 * Both links of an entry are derived from its id: only their hashes are stored, yet a second email carries the same working link. A new
 * start has a new id, which invalidates the old links.
 */
export function confirmToken(pepper: string, entryId: EntryId): Promise<string> {
  return keyedHash(pepper, "waitlist confirmation", entryId);
}

export function entryToken(pepper: string, entryId: EntryId): Promise<string> {
  return keyedHash(pepper, "entry page", entryId);
}
