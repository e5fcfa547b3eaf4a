import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import { mailboxQuota, siteQuota } from "#app/modules/codes/email-quotas.rules.ts";
import {
  cancellationForm,
  cancellationKinds,
  cancellationStates,
  decideStep,
  lacksCause,
  quotasOfWaiting,
  retryWaitMs,
  waitingPerMailboxMax,
  whatToDoAbout,
} from "./cancellations.rules.ts";

const seller = { timeZone: "Europe/Berlin" };
const now = Date.UTC(2026, 10, 20, 12);
const running = { cancelsAt: null, periodEndsAt: Date.UTC(2026, 11, 20, 12) };

describe("a declaration that matched", () => {
  test("cancels the plan at the end of its period, unless the wanted day is later", () => {
    expect(decideStep({ endsOn: null }, running, seller, now)).toEqual({ kind: "cancel" });
    expect(decideStep({ endsOn: "2026-12-20" }, running, seller, now)).toEqual({ kind: "cancel" });
    expect(decideStep({ endsOn: "2026-12-21" }, running, seller, now)).toEqual({ kind: "wait", until: now + dayMs });
    // A day that is over can't be met any more: as early as possible.
    expect(decideStep({ endsOn: "2020-01-01" }, running, seller, now)).toEqual({ kind: "cancel" });
  });

  test("changes nothing where nothing renews", () => {
    expect(decideStep({ endsOn: null }, null, seller, now)).toEqual({ kind: "done", why: "no-plan" });
    const cancelled = { ...running, cancelsAt: running.periodEndsAt };
    expect(decideStep({ endsOn: "2027-01-01" }, cancelled, seller, now)).toEqual({ kind: "done", why: "already" });
  });

  test("never ends a plan before the wanted day, and is never looked at too late to end it with that period", () => {
    const day = fc.integer({ min: 0, max: 900 }).map((days) => now + days * dayMs);
    fc.assert(
      fc.property(day, fc.integer({ min: 28, max: 366 }), fc.integer({ min: 0, max: 23 }), (wantedAt, length, hour) => {
        const endsOn = new Date(wantedAt).toISOString().slice(0, 10);
        let at = now;
        let periodEndsAt = now + length * dayMs + hour * hourMs;
        for (;;) {
          const step = decideStep({ endsOn }, { cancelsAt: null, periodEndsAt }, seller, at);
          if (step.kind === "cancel") break;
          if (step.kind !== "wait") throw new Error("Its plan runs");
          at = step.until;
          while (periodEndsAt <= at) periodEndsAt += length * dayMs;
        }
        // It ends no earlier than the wanted day begins in Berlin, and no later than the period in which that day is.
        expect(periodEndsAt).toBeGreaterThanOrEqual(Date.parse(`${endsOn}T00:00:00+02:00`));
        expect(periodEndsAt - length * dayMs).toBeLessThanOrEqual(Date.parse(`${endsOn}T23:59:59Z`) + dayMs);
      }),
    );
  });

  test("is tried again with growing waits", () => {
    expect([1, 2, 5, 10, 40].map(retryWaitMs)).toEqual([2, 4, 32, 720, 720].map((minutes) => minutes * minuteMs));
  });
});

test("confirmations that waited leave most of a mailbox's emails to its owner's codes", () => {
  const quotas = [mailboxQuota("mailbox"), siteQuota];
  expect(quotasOfWaiting(quotas)).toEqual([{ ...mailboxQuota("mailbox"), max: waitingPerMailboxMax }, siteQuota]);
});

test("an operator has something to do with what matched nothing, gives a reason or fails, until it is closed", () => {
  for (const state of cancellationStates)
    for (const kind of cancellationKinds)
      for (const failure of [null, "provider-unreachable"]) {
        const todo = whatToDoAbout({ state, kind, failure, closedAt: null });
        const isListed =
          state === "unmatched" ||
          (kind === "extraordinary" && state !== "undone") ||
          (state === "open" && failure !== null);
        expect([state, kind, failure, todo !== null]).toEqual([state, kind, failure, isListed]);
        expect(whatToDoAbout({ state, kind, failure, closedAt: 1 })).toBeNull();
      }
});

describe("the form", () => {
  const typed = { intent: "declare", kind: "ordinary", name: "Mara", order: "2026-000041", email: "mara@example.com" };
  const read = (changed: object) => v.safeParse(cancellationForm, { ...typed, ...changed });

  test("takes the contract's name as well as its number, and no day for the earliest one", () => {
    expect(read({})).toMatchObject({ success: true, output: { endsOn: "", cause: "" } });
    expect(read({ order: "The monthly plan", endsOn: "2028-02-29" }).success).toBe(true);
    for (const endsOn of ["2027-02-29", "tomorrow", "30.6.2027"]) expect(read({ endsOn }).success).toBe(false);
    expect(read({ kind: "at once" }).success).toBe(false);
  });

  test("needs a reason for an extraordinary cancellation alone", () => {
    expect(lacksCause({ kind: "extraordinary", cause: "" })).toBe(true);
    expect(lacksCause({ kind: "extraordinary", cause: "It lost my files" })).toBe(false);
    expect(lacksCause({ kind: "ordinary", cause: "" })).toBe(false);
  });
});
