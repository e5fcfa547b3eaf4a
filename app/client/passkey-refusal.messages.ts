import type { Messages } from "#app/core/messages.ts";

/** Everything that can go wrong with a passkey, on the server or in the browser, for any page that takes one. */
const en = {
  "passkey-missing": "This page hadn't finished loading, so no passkey was used. Try again.",
  "passkey-malformed": "We couldn't read your passkey's response. Try again.",
  "origin-foreign": "That passkey was used on another site. Reload this page and try again.",
  "challenge-unknown": "That response doesn't belong to this page. Reload it and try again.",
  "challenge-stale": "That took too long. Try again.",
  "challenge-used": "That response has already been used. Try again.",
  "passkey-refused": "We couldn't accept that passkey. Try another one, or use an email code.",
  "passkey-copied": "That passkey may have been copied. Sign in with an email code and remove it.",
  "user-unverified": "Your passkey didn't ask for a fingerprint, face or PIN. Use an email code instead.",
  "passkey-known": "You've already added that passkey.",
  "too-many-passkeys": "Your account has the maximum number of passkeys. Remove one first.",
  "passkey-unknown": "That passkey has already been removed.",
  "passkey-cancelled": "No passkey was used. Try again, or use an email code.",
  "passkey-failed": "Your browser couldn't use a passkey here. Use an email code instead.",
  "site-unreachable": "We couldn't connect. Try again in a moment.",
};

export type PasskeyProblem = keyof typeof en;

export const passkeyProblemMessages: Messages<typeof en> = { en };
