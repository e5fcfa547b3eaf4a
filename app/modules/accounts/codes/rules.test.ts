import { describe, expect, test } from "vitest";
import {
  codeLifeMs,
  createsAccount,
  checkCode,
  checkSend,
  checkTries,
  checkTry,
  purposes,
  triesLeft,
  triesPerHourMax,
} from "./rules.ts";
import { quotaWindowMs } from "./email-quotas.rules.ts";
import { accountEmails } from "#app/modules/accounts/emails.messages.ts";
import { minuteMs } from "#app/core/time/time.ts";

const now = 1_800_000_000_000;
const ago = (ms: number) => now - ms;
const free = { full: [], triedAts: [], pausedUntil: null };

describe("a code", () => {
  test("is valid for as long as its email says", () => {
    const names = { product: "Heron", support: "help@heron.example", lockedMeans: "", free: null };
    const email = accountEmails.en.code(
      { template: "code", purpose: "sign-in", code: "12345678", validMs: 600_000, url: "" },
      names,
    );
    expect(email.after.join(" ")).toContain(String(codeLifeMs / minuteMs));
  });

  test("returns why it no longer works", () => {
    expect(checkCode({ state: "issued", expiresAt: now + 1 }, now)).toBeNull();
    expect(checkCode({ state: "issued", expiresAt: now }, now)).toEqual({ reason: "code-expired" });
    expect(checkCode({ state: "used", expiresAt: now + 1 }, now)).toEqual({ reason: "code-used" });
    expect(checkCode({ state: "superseded", expiresAt: now + 1 }, now)).toEqual({ reason: "code-superseded" });
    expect(checkCode({ state: "exhausted", expiresAt: now + 1 }, now)).toEqual({ reason: "code-exhausted" });
  });
});

describe("a try", () => {
  const used = { state: "used", expiresAt: now + 1 } as const;
  const live = { state: "issued", expiresAt: now + 1 } as const;
  const spent = { triedAts: Array.from({ length: triesPerHourMax }, () => now), pausedUntil: null };
  const paused = { triedAts: [], pausedUntil: now + 5 };

  test.each([
    ["a live code with tries left", live, free, null],
    ["a code that was used, with tries left", used, free, "code-used"],
    ["a code that was used, without tries", used, spent, "too-many-tries"],
    ["a code that was used, while the address is paused", used, paused, "paused"],
    ["a live code without tries", live, spent, "too-many-tries"],
    ["no code, with tries left", null, free, null],
    ["no code, while the address is paused", null, paused, "paused"],
  ])("is checked against the quota before the code: %s", (_, code, quota, reason) => {
    expect(checkTry(code, quota, now)?.reason ?? null).toBe(reason);
  });
});

describe("an email", () => {
  test("is refused by the first exhausted quota, and by none if all have room", () => {
    const soon = { reason: "too-soon", retryAt: now + 1 } as const;
    const network = { reason: "too-many-from-network", retryAt: now + 2 } as const;
    expect(checkSend(free, now)).toBeNull();
    expect(checkSend({ ...free, full: [soon, network] }, now)).toEqual(soon);
    expect(checkSend({ ...free, full: [network] }, now)).toEqual(network);
  });

  test("isn't sent while no code of the address could be tried, whatever the other quotas allow", () => {
    const triedAts = Array.from({ length: triesPerHourMax }, (_, index) => ago(index * 1000));
    const refusal = { reason: "too-many-tries", retryAt: ago((triesPerHourMax - 1) * 1000) + quotaWindowMs };
    expect(checkSend({ ...free, triedAts }, now)).toEqual(refusal);
    expect(checkSend({ ...free, triedAts, full: [{ reason: "too-soon", retryAt: now }] }, now)).toEqual(refusal);
    expect(checkSend({ ...free, triedAts: triedAts.slice(1) }, now)).toBeNull();
  });

  test("isn't sent while the address is paused", () => {
    expect(checkSend({ ...free, pausedUntil: now + 5 }, now)).toEqual({ reason: "paused", retryAt: now + 5 });
    expect(checkSend({ ...free, pausedUntil: now }, now)).toBeNull();
  });
});

describe("the quota of tries", () => {
  test("allows ten wrong tries an hour", () => {
    const triedAts = Array.from({ length: triesPerHourMax }, (_, index) => ago(index * 1000));
    expect(checkTries({ triedAts, pausedUntil: null }, now)?.reason).toBe("too-many-tries");
    expect(checkTries({ triedAts: triedAts.slice(1), pausedUntil: null }, now)).toBeNull();
  });

  test("shows the smaller of what the code and the hour have left", () => {
    expect(triesLeft({ wrongTries: 1 }, [], now)).toBe(4);
    expect(
      triesLeft(
        { wrongTries: 0 },
        Array.from({ length: 8 }, () => ago(1000)),
        now,
      ),
    ).toBe(2);
    expect(triesLeft({ wrongTries: 7 }, [], now)).toBe(0);
  });
});

test("only a sign-up code creates an account", () => {
  expect(purposes.filter((purpose) => createsAccount[purpose])).toEqual(["sign-up"]);
});
