import { describe, expect, test } from "vitest";
import { minuteMs } from "#app/core/time/time.ts";
import { type Asked, checkChallenge, writeChallenge } from "./challenges.rules.ts";
import { encodeBytes } from "./rules.ts";

const pepper = "pepper";
const now = Date.UTC(2026, 10, 20);
const signIn: Asked = { ceremony: "sign-in", accountId: null };
const add: Asked = { ceremony: "add", accountId: "acc_one" };

/** As it comes back: the library sends text as base64url, and browsers write that into the signed client data. */
async function sent(asked: Asked, nonce = "nonce"): Promise<string> {
  return encode(await writeChallenge(pepper, asked, nonce, now));
}

function encode(text: string): string {
  return encodeBytes(new TextEncoder().encode(text));
}

const unknown = { ok: false, refusal: { reason: "challenge-unknown" } };

describe("a challenge", () => {
  test("lives for five minutes, exactly", async () => {
    const challenge = await sent(signIn);
    expect((await checkChallenge(pepper, challenge, signIn, now + 5 * minuteMs - 1)).ok).toBe(true);
    expect(await checkChallenge(pepper, challenge, signIn, now + 5 * minuteMs)).toEqual({
      ok: false,
      refusal: { reason: "challenge-stale" },
    });
  });

  test("is for one ceremony", async () => {
    const proof: Asked = { ceremony: "fresh-proof", accountId: "acc_one" };
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

  test("is for one account", async () => {
    expect((await checkChallenge(pepper, await sent(add), add, now)).ok).toBe(true);
    expect(await checkChallenge(pepper, await sent(add), { ...add, accountId: "acc_two" }, now)).toEqual(unknown);
  });

  test("is ours: another pepper, a changed letter and plain inventions are not", async () => {
    const challenge = await sent(signIn);
    expect(await checkChallenge("another", challenge, signIn, now)).toEqual(unknown);
    const said = await writeChallenge(pepper, signIn, "nonce", now);
    const forged = [
      said.replace(String(now), String(now + minuteMs)),
      said.replace("nonce", "other"),
      said.slice(0, said.lastIndexOf(".")),
      `${said}.`,
      "",
      ".",
      "nonce.0.sign-in..",
    ];
    for (const text of forged) expect(await checkChallenge(pepper, encode(text), signIn, now)).toEqual(unknown);
    expect(await checkChallenge(pepper, "!", signIn, now)).toEqual(unknown);
  });

  test("is used up under one name, however it is spelled, and each has its own", async () => {
    // Of a length whose last character has unused bits, which a decoder ignores.
    const said = await writeChallenge(pepper, signIn, "nonces", now);
    const challenge = encode(said);
    const spelled = challenge.slice(0, -1) + neighbour(challenge.slice(-1));
    const names = await Promise.all(
      [challenge, spelled, await sent(signIn, "another")].map(async (text) => {
        const judged = await checkChallenge(pepper, text, signIn, now);
        return judged.ok ? judged.value : judged.refusal.reason;
      }),
    );
    expect(spelled).not.toBe(challenge);
    expect(names[0]).toMatch(/^[0-9a-z]{52}$/);
    expect(names[1]).toBe(names[0]);
    expect(names[2]).not.toBe(names[0]);
  });
});

/** The next character in base64url's alphabet. */
function neighbour(letter: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return alphabet.charAt(alphabet.indexOf(letter) + 1);
}
