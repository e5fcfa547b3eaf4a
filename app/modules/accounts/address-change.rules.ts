/**
 * Decides who may change an account's address and who may revert that. Invariants: the new address is proven by a code before anything
 * changes; the old address is emailed a link that reverts the change and all later ones; until that link expires, no other account can
 * use the old address (it is reserved). Called from `changeAddress`, `revertAddress` and the forms for both.
 */
import type { AccountId, AddressChangeId } from "#app/core/id.ts";
import { keyedHash } from "#app/core/hash.ts";
import { parseEmailAddress, type EmailAddress } from "#app/core/text/email-address.ts";
import { dayMs } from "#app/core/time/time.ts";
import { isReauthenticated, type Viewer } from "./rules.ts";

export const addressChangeStates = ["changed", "reverted", "overtaken"] as const;
type AddressChangeState = (typeof addressChangeStates)[number];

/** How long the link in the email to the old address works, and that address stays reserved. */
export const revertLifeMs = 7 * dayMs;
/** A revert also removes passkeys added up to this long before the change: an attacker adds a passkey first, then changes the address. */
export const doubtBeforeChangeMs = dayMs;
/** How long the page of an expired link can say so; then the row is removed, and the old address with it. */
export const addressChangeRetentionMs = 30 * dayMs;

export type AddressChange = {
  id: AddressChangeId;
  accountId: AccountId;
  state: AddressChangeState;
  fromEmail: string;
  fromCanonical: string;
  toEmail: string;
  changedAt: number;
  revertExpiresAt: number;
};

/**
 * The token in the emailed link. It is derived from the change's id: only its hash is stored, yet a second email carries the same working
 * link.
 */
export function revertToken(pepper: string, changeId: AddressChangeId): Promise<string> {
  return keyedHash(pepper, "change of address taken back", changeId);
}

type AskRefusal = { reason: "same-address" } | { reason: "proof-stale" };

/** May this session request a code that changes its account's address? */
export function checkNewAddress(viewer: Viewer, address: EmailAddress, now: number): AskRefusal | null {
  if (parseEmailAddress(viewer.account.email)?.canonical === address.canonical) return { reason: "same-address" };
  return isReauthenticated(viewer.session, now) ? null : { reason: "proof-stale" };
}

export type RevertRefusal =
  | { reason: "link-unknown" }
  | { reason: "link-used" }
  | { reason: "link-overtaken" }
  | { reason: "link-expired" }
  | { reason: "address-taken" };

/** Why a change can't be reverted any more, judging by its row alone. Null if it can be. */
export function checkRevert(
  change: Pick<AddressChange, "state" | "revertExpiresAt">,
  now: number,
): RevertRefusal | null {
  switch (change.state) {
    case "reverted":
      return { reason: "link-used" };
    case "overtaken":
      return { reason: "link-overtaken" };
    case "changed":
      return change.revertExpiresAt <= now ? { reason: "link-expired" } : null;
  }
}
