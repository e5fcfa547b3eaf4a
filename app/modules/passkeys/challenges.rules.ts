/**
 * Challenges need no row before they are used: each is a text that says when it was made, for which ceremony and whose account, with a
 * keyed hash over all of it. Used once, its hash stands in a table until the challenge has run out by itself.
 */
import { fitsKeyedHash, hashToken, keyedHash } from "#app/core/digest.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { hourMs, minuteMs } from "#app/core/time/time.ts";
import { decodeText } from "./rules.ts";

/** Lifetime of a challenge. */
export const challengeLifeMs = 5 * minuteMs;
/** From this age on an open page fetches a new challenge. */
export const challengeRefreshMs = 4 * minuteMs;
/** How long a used challenge is stored: longer than its lifetime, whatever two clocks say. */
export const usedChallengeKeptMs = hourMs;

/** What a challenge is for; an answer to one is no answer to another. */
export const ceremonies = ["add", "sign-in", "fresh-proof"] as const;

/** Whoever signs in is not known before; in the other two the account is. */
export type Asked = { ceremony: "sign-in"; accountId: null } | { ceremony: "add" | "fresh-proof"; accountId: string };

type ChallengeRefusal = { reason: "challenge-unknown" } | { reason: "challenge-stale" };

export async function writeChallenge(pepper: string, asked: Asked, nonce: string, now: number): Promise<string> {
  const said = [nonce, now, asked.ceremony, asked.accountId ?? ""].join(".");
  return `${said}.${await keyedHash(pepper, "challenge", said)}`;
}

/** Is this a challenge of ours, for this and nothing else, and younger than five minutes? Then its hash, under which it is used up. */
export async function judgeChallenge(
  pepper: string,
  challenge: string,
  asked: Asked,
  now: number,
): Promise<Result<string, ChallengeRefusal>> {
  // Over what was decoded: base64url has several spellings for one text.
  const text = decodeText(challenge) ?? "";
  const cut = text.lastIndexOf(".");
  const said = text.slice(0, Math.max(0, cut));
  const isOurs = await fitsKeyedHash(pepper, "challenge", said, text.slice(cut + 1));
  const [, issuedAt, ceremony, accountId] = said.split(".");
  if (!isOurs || ceremony !== asked.ceremony || accountId !== (asked.accountId ?? "")) {
    return refused({ reason: "challenge-unknown" });
  }
  if (now - Number(issuedAt) >= challengeLifeMs) return refused({ reason: "challenge-stale" });
  return done(await hashToken(text));
}
