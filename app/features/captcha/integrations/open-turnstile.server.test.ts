import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startTurnstile } from "#app/features/captcha/tests/start-turnstile.ts";
import { isTurnstileTestKey } from "../services.ts";
import { openTurnstile } from "./open-turnstile.server.ts";

const turnstile = await startTurnstile();
afterAll(turnstile.close);

let reports: string[];
beforeEach(() => {
  reports = [];
  turnstile.calls.length = 0;
  turnstile.be("verifying");
});

const open = (changed: { secretKey?: string; hostname?: string } = {}) =>
  openTurnstile({
    siteKey: turnstile.siteKey,
    secretKey: turnstile.secretKey,
    hostname: "127.0.0.1",
    base: turnstile.origin,
    report: (error) => reports.push(String(error)),
    ...changed,
  });

describe("a token", () => {
  test("passes once, and only the token and the secret are sent", async () => {
    const token = turnstile.mint("sign-in");
    expect(await open().check(token, "sign-in")).toBe("passed");
    expect(await open().check(token, "sign-in")).toBe("refused");
    expect(turnstile.calls[0]).toEqual({ secret: turnstile.secretKey, response: token });
    expect(reports).toEqual([]);
  });

  test.each([
    ["that isn't one", "made-up"],
    ["that has expired", turnstile.mint("sign-in", "127.0.0.1", "expired")],
    ["of another form", turnstile.mint("sign-up")],
    ["of another host", turnstile.mint("sign-in", "evil.example")],
  ])("%s is refused, and reported to no one", async (_what, token) => {
    expect(await open().check(token, "sign-in")).toBe("refused");
    expect(reports).toEqual([]);
  });

  test.each(["failing", "overloaded", "redirecting"] as const)(
    "gets no verdict while the service is %s, which is reported without the token and the secret",
    async (mood) => {
      turnstile.be(mood);
      const token = turnstile.mint("sign-in");
      expect(await open().check(token, "sign-in")).toBe("unavailable");
      expect(turnstile.paths).not.toContain("/elsewhere");
      expect(reports).toHaveLength(1);
      expect(reports.join()).not.toContain(token);
      expect(reports.join()).not.toContain(turnstile.secretKey);
    },
  );

  test("gets no verdict with a wrong secret, which is our mistake and no visitor's", async () => {
    expect(await open({ secretKey: "0xwrong" }).check(turnstile.mint("sign-in"), "sign-in")).toBe("unavailable");
    expect(reports).toEqual([expect.stringContaining("invalid-input-secret")]);
  });

  test("is waited for no longer than a few seconds", async () => {
    turnstile.be("silent");
    const started = performance.now();
    expect(await open().check(turnstile.mint("sign-in"), "sign-in")).toBe("unavailable");
    expect(performance.now() - started).toBeLessThan(5000);
    expect(reports).toEqual([expect.stringContaining("TimeoutError")]);
  });
});

test.each([
  ["1x00000000000000000000AA", true],
  ["2x00000000000000000000AB", true],
  ["1x00000000000000000000BB", true],
  ["2x00000000000000000000BB", true],
  ["3x00000000000000000000FF", true],
  ["1x0000000000000000000000000000000AA", true],
  ["2x0000000000000000000000000000000AA", true],
  ["3x0000000000000000000000000000000AA", true],
  [turnstile.siteKey, false],
  [turnstile.secretKey, false],
  ["", false],
])("%s is a key for tests: %s", (key, isTest) => {
  expect(isTurnstileTestKey(key)).toBe(isTest);
});

test("what the page loads comes from Cloudflare, and its policy allows that origin", () => {
  const { show, embed } = openTurnstile({
    siteKey: "k",
    secretKey: "s",
    hostname: "a.example",
    base: null,
    report: () => undefined,
  });
  const origin = "https://challenges.cloudflare.com";
  const { field } = show({ form: "sign-in", proof: "missing", wait: "" });
  expect(field["script"]).toBe(`${origin}/turnstile/v0/api.js?render=explicit`);
  expect(embed).toEqual({ policy: { "script-src": [origin], "frame-src": [origin] } });
});
