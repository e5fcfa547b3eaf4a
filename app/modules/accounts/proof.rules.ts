/**
 * What proves that a person reads an address: a code that was emailed there, typed in the browser that asked for it. Called from the
 * commands that sign in, sign up, reauthenticate and change an address.
 */
import type { AccountId, RequestId } from "#app/core/id.ts";
import type { Carried, Code, Purpose, TryRefusal } from "#app/modules/accounts/codes/rules.ts";

export type Proof = {
  requestId: RequestId;
  digits: string;
  browserToken: string;
  /** The browser's present session cookie, if any: its session is replaced, never reused. */
  sessionToken: string | null;
  device: string;
  country: string | null;
  /** For a new account. Null if unknown, so that the product's default applies. */
  timeZone?: string | null;
};

/** The code that was entered, and the quota it counts against. */
export type CodeMatch = { code: Code; proof: Proof; quotas: { addressHash: string; tries: string } };

export type Proven = {
  requestId: RequestId;
  accountId: AccountId;
  sessionToken: string;
  purpose: Purpose;
  isNew: boolean;
  carried: Carried;
};

export type CodeProofRefusal =
  | TryRefusal
  | { reason: "address-taken" }
  | { reason: "address-held" }
  /** Sign-up is gated, and the gate closed or the invitation ended since the code was requested. */
  | { reason: "by-invitation" }
  | { reason: "invitation-over" }
  | { reason: "account-not-here" }
  /** The code is right and still valid, but the session's last proof is too old for a change of address. */
  | { reason: "proof-stale" };
