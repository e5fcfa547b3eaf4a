import { describe, expect, test } from "vitest";
import { hourMs } from "#app/core/time/time.ts";
import { invitationVerdict, waveOf } from "./invitations.rules.ts";
import { entryStates } from "./rules.ts";

const now = 1_800_000_000_000;
const entry = { gate: "signup", state: "invited", invitations: 1, invitationExpiresAt: now + 1 } as const;

describe("an invitation", () => {
  test("is valid until its last millisecond, at the gate that it is for", () => {
    expect(invitationVerdict(entry, "signup", now)).toBe("open");
    expect(invitationVerdict({ ...entry, invitationExpiresAt: now }, "signup", now)).toBe("over");
    expect(invitationVerdict(entry, "plan:golden", now)).toBe("no-gate");
    expect(invitationVerdict(entry, null, now)).toBe("no-gate");
  });

  test("reports the outcome in every other state", () => {
    const verdicts = entryStates.map((state) => [state, invitationVerdict({ ...entry, state }, "signup", now)]);
    expect(Object.fromEntries(verdicts)).toEqual({
      pending: "none",
      waiting: "over",
      invited: "open",
      resting: "over",
      joined: "used",
      left: "none",
      rejected: "none",
    });
    const never = { ...entry, state: "waiting", invitations: 0 } as const;
    expect(invitationVerdict(never, "signup", now)).toBe("none");
  });
});

test("the day's wave is sent at nine by the product's calendar, whatever day it is elsewhere", () => {
  expect(waveOf(Date.UTC(2026, 10, 20, 23, 30), "Europe/Berlin")).toEqual({
    day: "2026-11-21",
    startsAt: Date.UTC(2026, 10, 21, 8),
  });
  const summer = waveOf(Date.UTC(2026, 6, 1), "America/Los_Angeles");
  expect(summer).toEqual({ day: "2026-06-30", startsAt: Date.UTC(2026, 5, 30, 7) + 9 * hourMs });
});
