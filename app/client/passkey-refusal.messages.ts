import type { Messages } from "#app/core/messages.ts";

/** Everything that can go wrong with a passkey, on the server or in the browser, on any page that takes one. */
const en = {
  "passkey-missing": "This page's scripts did not run, so no passkey was used. A mailed code works without them.",
  "passkey-malformed": "What the passkey sent arrived damaged. Try again.",
  "origin-foreign": "That passkey was used on another site. Open this page again and try again.",
  "challenge-unknown": "That answer does not belong to this page. Open it again and try again.",
  "challenge-stale": "That took longer than five minutes. Try again.",
  "challenge-used": "That answer has already been used. Try again.",
  "passkey-refused": "We could not accept that passkey. Use another one, or a mailed code.",
  "passkey-copied": "That passkey seems to have been copied. Sign in with a mailed code and remove it.",
  "user-unverified": "Your passkey did not ask for a finger, a face or a PIN. Type the code from the mail instead.",
  "passkey-known": "That passkey was added before.",
  "too-many-passkeys": "Your account has as many passkeys as it can keep. Remove one first.",
  "passkey-unknown": "That passkey has already been removed.",
  "passkey-cancelled": "No passkey was used. Try again, or use a mailed code.",
  "passkey-failed": "Your browser could not use a passkey here. A mailed code always works.",
  "site-unreachable": "We could not be reached. Try again in a moment.",
};

export type PasskeyProblem = keyof typeof en;

export const passkeyProblemMessages: Messages<typeof en> = { en };
