import { expect, test } from "vitest";
import { disputeStates } from "#app/core/stripe/states.ts";
import { holdToChange, isPausedByDispute } from "./dispute-hold.rules.ts";

const pause = { duringDispute: "pause" } as const;
const disputed = (state: string) => [{ disputes: [] }, { disputes: [{ state }] }];

test("a plan is paused exactly while a bank decides about one of its payments, if the config says so", () => {
  const open = disputeStates.filter((state) => isPausedByDispute(pause, "active", disputed(state)));
  expect(open.toSorted()).toEqual(["needs-response", "under-review"]);
  expect(isPausedByDispute({ duringDispute: "continue" }, "active", disputed("needs-response"))).toBe(false);
  expect(isPausedByDispute(pause, "canceled", disputed("needs-response"))).toBe(false);
  expect(isPausedByDispute(pause, "active", [{ disputes: [] }])).toBe(false);
});

test("Stripe is asked once, and what the team put on hold stays on hold", () => {
  const free = { isHeldForDispute: false, collection: "automatic" } as const;
  const held = { isHeldForDispute: true, collection: "on-hold" } as const;
  const heldByTeam = { isHeldForDispute: false, collection: "on-hold" } as const;
  expect([holdToChange(true, free), holdToChange(true, held), holdToChange(true, heldByTeam)]).toEqual([
    "hold",
    null,
    null,
  ]);
  expect([holdToChange(false, free), holdToChange(false, held), holdToChange(false, heldByTeam)]).toEqual([
    null,
    "release",
    null,
  ]);
});
