import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayMs, hourMs } from "#app/core/time/time.ts";
import { cancellationKinds, cancellationStates, decideStep, lacksCause, whatToDoAbout } from "./cancellations.rules.ts";

const seller = { timeZone: "Europe/Berlin", afterFirstTerm: "another-term" } as const;
const now = Date.UTC(2026, 10, 20, 12);
const running = { interval: "month", cancelsAt: null, periodEndsAt: Date.UTC(2026, 11, 20, 12) } as const;
const facts = { renewedUntil: null, now };
const wanting = (endsOn: string | null) => ({ endsOn, declaredAt: now });

describe("a declaration that matched", () => {
  test("cancels the plan at the end of its period, unless the wanted day is later", () => {
    expect(decideStep(wanting(null), running, seller, facts)).toEqual({ kind: "cancel", wantedAt: null });
    expect(decideStep(wanting("2026-12-20"), running, seller, facts)).toMatchObject({
      kind: "cancel",
      wantedAt: Date.UTC(2026, 11, 20, 23),
    });
    expect(decideStep(wanting("2026-12-21"), running, seller, facts)).toEqual({ kind: "wait", until: now + dayMs });
    // A day that is over can't be met any more: as early as possible.
    expect(decideStep(wanting("2020-01-01"), running, seller, facts)).toEqual({ kind: "cancel", wantedAt: null });
  });

  test("changes nothing where nothing renews", () => {
    expect(decideStep(wanting(null), null, seller, facts)).toEqual({ kind: "done", why: "no-plan" });
    const cancelled = { ...running, cancelsAt: running.periodEndsAt };
    expect(decideStep(wanting("2027-01-01"), cancelled, seller, facts)).toEqual({ kind: "done", why: "already" });
  });

  test("ends a plan earlier that was cancelled to a later day, and never later", () => {
    const later = { ...running, cancelsAt: running.periodEndsAt + 300 * dayMs };
    expect(decideStep(wanting(null), later, seller, facts)).toEqual({ kind: "cancel", wantedAt: null });
    expect(decideStep(wanting("2027-01-10"), later, seller, facts)).toMatchObject({ kind: "wait" });
    expect(decideStep(wanting("2027-12-10"), later, seller, facts)).toEqual({ kind: "done", why: "already" });
    const onTheDay = { ...running, cancelsAt: Date.UTC(2027, 0, 10, 12) };
    expect(decideStep(wanting("2027-01-10"), onTheDay, seller, facts)).toEqual({ kind: "done", why: "already" });
    const year = {
      ...running,
      interval: "year",
      cancelsAt: now + 200 * dayMs,
      periodEndsAt: now + 300 * dayMs,
    } as const;
    const renewed = { renewedUntil: year.periodEndsAt, now };
    const noticeSeller = { ...seller, afterFirstTerm: "month-notice" } as const;
    expect(decideStep(wanting(null), year, noticeSeller, renewed)).toEqual({ kind: "cancel", wantedAt: null });
    const soon = { ...year, cancelsAt: now + 20 * dayMs };
    expect(decideStep(wanting(null), soon, noticeSeller, renewed)).toEqual({ kind: "done", why: "already" });
  });

  test("never ends a plan before the wanted day, and is never looked at too late to end it with that period", () => {
    const day = fc.integer({ min: 0, max: 900 }).map((days) => now + days * dayMs);
    fc.assert(
      fc.property(day, fc.integer({ min: 28, max: 366 }), fc.integer({ min: 0, max: 23 }), (wantedAt, length, hour) => {
        const endsOn = new Date(wantedAt).toISOString().slice(0, 10);
        let at = now;
        let periodEndsAt = now + length * dayMs + hour * hourMs;
        for (;;) {
          const step = decideStep(wanting(endsOn), { ...running, periodEndsAt }, seller, { ...facts, now: at });
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
});

test("an operator has something to do with what matched nothing or gives a reason, until it is closed, and with what fails", () => {
  for (const state of cancellationStates)
    for (const kind of cancellationKinds)
      for (const failure of [null, "provider-unreachable"]) {
        const todo = whatToDoAbout({ state, kind, failure, closedAt: null });
        const isFailing = state === "open" && failure !== null;
        const isListed = state === "unmatched" || (kind === "extraordinary" && state !== "undone") || isFailing;
        expect([state, kind, failure, todo !== null]).toEqual([state, kind, failure, isListed]);
        expect(whatToDoAbout({ state, kind, failure, closedAt: 1 }) !== null).toBe(isFailing);
      }
});

test("an extraordinary cancellation alone needs a reason", () => {
  expect(lacksCause({ kind: "extraordinary", cause: "" })).toBe(true);
  expect(lacksCause({ kind: "extraordinary", cause: "It lost my files" })).toBe(false);
  expect(lacksCause({ kind: "ordinary", cause: "" })).toBe(false);
});
