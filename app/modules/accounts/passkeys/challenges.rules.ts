/**
 * Creates and verifies WebAuthn challenges without storing them. Invariants: a challenge contains its time, ceremony and account, with a
 * MAC over them; once used, its hash is stored until it would have expired, so that it can't be used twice. Called from every passkey
 * ceremony.
 */
import type { AccountId } from "#app/core/id.ts";
import { matchesKeyedHash, hashToken, keyedHash } from "#app/core/hash.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { hourMs, minuteMs } from "#app/core/time/time.ts";
import { base64urlToText } from "#app/core/text/base64url.ts";

export const challengeLifeMs = 5 * minuteMs;
/** From this age on an open page fetches a new challenge. */
export const challengeRefreshMs = 4 * minuteMs;
/** How long a used challenge is stored: longer than its lifetime plus any difference between clocks. */
export const usedChallengeRetentionMs = hourMs;

/** What a challenge is for; it is valid for nothing else. The account is unknown before a sign-in, and known in the other two. */
export type ChallengeSubject =
  | { ceremony: "sign-in"; accountId: null }
  | { ceremony: "add" | "reauthentication"; accountId: AccountId };

type ChallengeRefusal = { reason: "challenge-unknown" } | { reason: "challenge-stale" };

export async function writeChallenge(
  pepper: string,
  subject: ChallengeSubject,
  nonce: string,
  now: number,
): Promise<string> {
  const payload = [nonce, now, subject.ceremony, subject.accountId ?? ""].join(".");
  return `${payload}.${await keyedHash(pepper, "challenge", payload)}`;
}

/** Is it a challenge of ours, for this ceremony and account, and not expired? Then returns its hash, under which it is used up. */
export async function checkChallenge(
  pepper: string,
  challenge: string,
  subject: ChallengeSubject,
  now: number,
): Promise<Result<string, ChallengeRefusal>> {
  // The MAC is over the decoded text, since base64url can spell one text in several ways.
  const text = base64urlToText(challenge) ?? "";
  const cut = text.lastIndexOf(".");
  const payload = text.slice(0, Math.max(0, cut));
  const isOurs = await matchesKeyedHash(pepper, "challenge", payload, text.slice(cut + 1));
  const [, issuedAt, ceremony, accountId] = payload.split(".");
  if (!isOurs || ceremony !== subject.ceremony || accountId !== (subject.accountId ?? "")) {
    return refused({ reason: "challenge-unknown" });
  }
  if (now - Number(issuedAt) >= challengeLifeMs) return refused({ reason: "challenge-stale" });
  return done(await hashToken(text));
}
