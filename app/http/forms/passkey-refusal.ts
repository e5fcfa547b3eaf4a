import { data } from "react-router";
import { passkeyProblemMessages } from "#app/client/passkey-refusal.messages.ts";
import type { AddRefusal } from "#app/modules/accounts/passkeys/commands/add-passkey.server.ts";
import type { AssertionRefusal } from "#app/modules/accounts/passkeys/commands/check-assertion.server.ts";
import type { RemovePasskeyRefusal } from "#app/modules/accounts/passkeys/commands/remove-passkey.server.ts";

export type PasskeyRefusal =
  | Exclude<AddRefusal | RemovePasskeyRefusal, { reason: "proof-stale" }>
  | AssertionRefusal
  | { reason: "user-unverified" };

const statuses: Record<PasskeyRefusal["reason"], number> = {
  "passkey-missing": 422,
  "passkey-malformed": 422,
  "passkey-refused": 422,
  "user-unverified": 422,
  "origin-foreign": 403,
  "challenge-unknown": 409,
  "challenge-stale": 409,
  "challenge-used": 409,
  "passkey-copied": 409,
  "passkey-known": 409,
  "too-many-passkeys": 409,
  "passkey-unknown": 404,
};

export function refusePasskey(refusal: PasskeyRefusal) {
  return data(refusal, { status: passkeyRefusalStatus(refusal) });
}

export function passkeyRefusalStatus({ reason }: PasskeyRefusal): number {
  return statuses[reason];
}

/** Derived from the messages, which browsers load anyway, not from the statuses, which they don't use. */
export function isPasskeyRefusal(refusal: { reason: string }): refusal is PasskeyRefusal {
  return refusal.reason in passkeyProblemMessages.en;
}
