import { describe, expect, test } from "vitest";
import { minuteMs } from "#app/core/time/time.ts";
import { type ChallengeSubject, checkChallenge, writeChallenge } from "./challenges.rules.ts";
import { textToBase64url } from "#app/core/text/base64url.ts";

const pepper = "pepper";
const now = Date.UTC(2026, 10, 20);
const signIn: ChallengeSubject = { ceremony: "sign-in", accountId: null };
const add: ChallengeSubject = { ceremony: "add", accountId: "acc_one" };

/** As it comes back: the library sends text as base64url, and browsers write that into the signed client data. */
async function sent(request: ChallengeSubject, nonce = "nonce"): Promise<string> {
  return textToBase64url(await writeChallenge(pepper, request, nonce, now));
}

const unknown = { ok: false, refusal: { reason: "challenge-unknown" } };

describe("a challenge", () => {
  test("expires after exactly five minutes", async () => {
    const challenge = await sent(signIn);
    expect((await checkChallenge(pepper, challenge, signIn, now + 5 * minuteMs - 1)).ok).toBe(true);
    expect(await checkChallenge(pepper, challenge, signIn, now + 5 * minuteMs)).toEqual({
      ok: false,
      refusal: { reason: "challenge-stale" },
    });
  });

  test("is valid for one ceremony", async () => {
    const proof: ChallengeSubject = { ceremony: "reauthentication", accountId: "acc_one" };
    for (const [made, used] of [
      [signIn, add],
      [add, signIn],
      [add, proof],
      [proof, add],
      [signIn, proof],
      [proof, signIn],
    ] as const) {
      expect(await checkChallenge(pepper, await sent(made), used, now)).toEqual(unknown);
    }
  });

  test("is valid for one account", async () => {
    expect((await checkChallenge(pepper, await sent(add), add, now)).ok).toBe(true);
    expect(await checkChallenge(pepper, await sent(add), { ...add, accountId: "acc_two" }, now)).toEqual(unknown);
  });

  test("is rejected with another pepper, a changed character, or invented contents", async () => {
    const challenge = await sent(signIn);
    expect(await checkChallenge("another", challenge, signIn, now)).toEqual(unknown);
    const written = await writeChallenge(pepper, signIn, "nonce", now);
    const forged = [
      written.replace(String(now), String(now + minuteMs)),
      written.replace("nonce", "other"),
      written.slice(0, written.lastIndexOf(".")),
      `${written}.`,
      "",
      ".",
      "nonce.0.sign-in..",
    ];
    for (const text of forged)
      expect(await checkChallenge(pepper, textToBase64url(text), signIn, now)).toEqual(unknown);
    expect(await checkChallenge(pepper, "!", signIn, now)).toEqual(unknown);
  });

  test("is stored as used under one name, in any spelling, distinct from other challenges", async () => {
    // At this length the last character has unused bits, which a decoder ignores.
    const written = await writeChallenge(pepper, signIn, "nonces", now);
    const challenge = textToBase64url(written);
    const spelled = challenge.slice(0, -1) + nextInAlphabet(challenge.slice(-1));
    const names = await Promise.all(
      [challenge, spelled, await sent(signIn, "another")].map(async (text) => {
        const checked = await checkChallenge(pepper, text, signIn, now);
        return checked.ok ? checked.value : checked.refusal.reason;
      }),
    );
    expect(spelled).not.toBe(challenge);
    expect(names[0]).toMatch(/^[0-9a-z]{52}$/);
    expect(names[1]).toBe(names[0]);
    expect(names[2]).not.toBe(names[0]);
  });
});

/** The next character in base64url's alphabet. */
function nextInAlphabet(letter: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return alphabet.charAt(alphabet.indexOf(letter) + 1);
}
