import { expect, test } from "vitest";
import { isOperatorCookie, operatorCookieMs, writeOperatorCookie } from "./operator-cookie.rules.ts";

const keys = { pepper: "pepper", operatorToken: "token" };
const now = 1_800_000_000_000;

test("the cookie counts for an hour, for the token and pepper that it was written with", async () => {
  const cookie = await writeOperatorCookie(keys.pepper, keys.operatorToken, now);
  expect(operatorCookieMs).toBeLessThanOrEqual(3_600_000);
  expect(cookie).not.toContain("token");
  expect(await isOperatorCookie(keys, cookie, now + operatorCookieMs - 1)).toBe(true);
  expect(await isOperatorCookie(keys, cookie, now + operatorCookieMs)).toBe(false);
  expect(await isOperatorCookie({ ...keys, operatorToken: "another" }, cookie, now)).toBe(false);
  expect(await isOperatorCookie({ ...keys, pepper: "another" }, cookie, now)).toBe(false);
  expect(await isOperatorCookie({ ...keys, operatorToken: null }, cookie, now)).toBe(false);
});

test("a cookie with another time, or none, doesn't count", async () => {
  const [, hash] = (await writeOperatorCookie(keys.pepper, keys.operatorToken, now)).split(".");
  for (const forged of [`${now + 2 * operatorCookieMs}.${hash}`, `.${hash}`, String(hash), "", null]) {
    expect(await isOperatorCookie(keys, forged, now)).toBe(false);
  }
});
