/**
 * A change of address. The new one is proven by a code before anything changes; the old one hears of it, with a link that takes
 * it back. Whoever held the account first wins: taking back a change undoes every later one. As long as that can be done the old
 * address is held: nobody else gets an account with it.
 */
import { keyedHash } from "#app/core/digest.ts";
import { parseEmailAddress, type EmailAddress } from "#app/core/text/email-address.ts";
import { dayMs } from "#app/core/time/time.ts";
import { isReauthenticated, type Viewer } from "./rules.ts";

type AddressChangeState = "changed" | "reverted" | "overtaken";

/** How long the link in the email to the old address reverts a change, and that address is held. */
export const revertLifeMs = 7 * dayMs;
/** A revert also removes passkeys this much younger than the change: an attacker adds one before taking the address. */
export const doubtBeforeChangeMs = dayMs;
/** How long an expired link says that it expired; then the row is removed, and the old address with it. */
export const changeKeptMs = 30 * dayMs;

export type AddressChange = {
  id: string;
  accountId: string;
  state: AddressChangeState;
  fromEmail: string;
  fromCanonical: string;
  toEmail: string;
  changedAt: number;
  revertExpiresAt: number;
};

/**
 * What the mailed link holds. Derived from the change's id, so that it can be mailed again although only its hash is stored, and
 * so that of two mails both work.
 */
export function revertToken(pepper: string, changeId: string): Promise<string> {
  return keyedHash(pepper, "change of address taken back", changeId);
}

export type AskRefusal = { reason: "same-address" } | { reason: "proof-stale" };

/** May this session have a code mailed that changes the address of its account? */
export function judgeNewAddress(viewer: Viewer, address: EmailAddress, now: number): AskRefusal | null {
  if (parseEmailAddress(viewer.account.email)?.canonical === address.canonical) return { reason: "same-address" };
  return isReauthenticated(viewer.session, now) ? null : { reason: "proof-stale" };
}

export type RevertRefusal =
  | { reason: "link-unknown" }
  | { reason: "link-used" }
  | { reason: "link-overtaken" }
  | { reason: "link-expired" }
  | { reason: "address-taken" };

/** Why a change can't be taken back any more, as far as its own row says it. Null: it can. */
export function judgeRevert(
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
