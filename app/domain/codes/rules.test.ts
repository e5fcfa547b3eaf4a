import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  budgetWindowMs,
  judgeCode,
  judgeSend,
  judgeTries,
  judgeTry,
  sendGapMs,
  sendsPerHourMax,
  triesLeft,
  triesPerHourMax,
} from "./rules.ts";

const now = 1_800_000_000_000;
const ago = (ms: number) => now - ms;
const free = { sentAts: [], networkSentAts: [], triedAts: [], pausedUntil: null };

describe("a code", () => {
  test("says why it no longer works", () => {
    expect(judgeCode({ state: "issued", expiresAt: now + 1 }, now)).toBeNull();
    expect(judgeCode({ state: "issued", expiresAt: now }, now)).toEqual({ reason: "code-expired" });
    expect(judgeCode({ state: "used", expiresAt: now + 1 }, now)).toEqual({ reason: "code-used" });
    expect(judgeCode({ state: "superseded", expiresAt: now + 1 }, now)).toEqual({ reason: "code-superseded" });
    expect(judgeCode({ state: "exhausted", expiresAt: now + 1 }, now)).toEqual({ reason: "code-exhausted" });
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
  ])("is judged by the budget before the code: %s", (_, code, budget, reason) => {
    expect(judgeTry(code, budget, now)?.reason ?? null).toBe(reason);
  });
});

describe("the budget of mails", () => {
  test("asks for thirty seconds between two, exact at both edges", () => {
    expect(judgeSend({ ...free, sentAts: [ago(sendGapMs - 1)] }, now)).toEqual({
      reason: "too-soon",
      retryAt: now + 1,
    });
    expect(judgeSend({ ...free, sentAts: [ago(sendGapMs)] }, now)).toBeNull();
  });

  test("has five an hour and says when the next one is free", () => {
    const sentAts = [50, 40, 30, 20, 10].map((minutes) => ago(minutes * 60_000));
    expect(judgeSend({ ...free, sentAts }, now)).toEqual({
      reason: "too-many-mails",
      retryAt: ago(50 * 60_000) + budgetWindowMs,
    });
    expect(judgeSend({ ...free, sentAts: sentAts.slice(1) }, now)).toBeNull();
  });

  test("has twenty an hour for a network", () => {
    const networkSentAts = Array.from({ length: 20 }, (_, index) => ago(index * 60_000));
    expect(judgeSend({ ...free, networkSentAts }, now)?.reason).toBe("too-many-from-network");
    expect(judgeSend({ ...free, networkSentAts: networkSentAts.slice(1) }, now)).toBeNull();
  });

  test("rests while no code of the address could be tried, whatever else is free", () => {
    const triedAts = Array.from({ length: triesPerHourMax }, (_, index) => ago(index * 1000));
    const refusal = { reason: "too-many-tries", retryAt: ago((triesPerHourMax - 1) * 1000) + budgetWindowMs };
    expect(judgeSend({ ...free, triedAts }, now)).toEqual(refusal);
    expect(judgeSend({ ...free, triedAts, sentAts: [now] }, now)).toEqual(refusal);
    expect(judgeSend({ ...free, triedAts: triedAts.slice(1) }, now)).toBeNull();
  });

  test("rests while the address is paused", () => {
    expect(judgeSend({ ...free, pausedUntil: now + 5 }, now)).toEqual({ reason: "paused", retryAt: now + 5 });
    expect(judgeSend({ ...free, pausedUntil: now }, now)).toBeNull();
  });

  test("never allows more than five in any hour, whatever the rhythm", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 * 60_000 }), { maxLength: 60 }), (gaps) => {
        const sentAts: number[] = [];
        let at = now;
        for (const gap of gaps) {
          at += gap;
          if (judgeSend({ ...free, sentAts }, at) === null) sentAts.push(at);
        }
        for (const end of sentAts) {
          expect(sentAts.filter((sent) => sent > end - budgetWindowMs && sent <= end).length).toBeLessThanOrEqual(
            sendsPerHourMax,
          );
        }
      }),
    );
  });
});

describe("the budget of tries", () => {
  test("has ten wrong ones an hour", () => {
    const triedAts = Array.from({ length: triesPerHourMax }, (_, index) => ago(index * 1000));
    expect(judgeTries({ triedAts, pausedUntil: null }, now)?.reason).toBe("too-many-tries");
    expect(judgeTries({ triedAts: triedAts.slice(1), pausedUntil: null }, now)).toBeNull();
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
