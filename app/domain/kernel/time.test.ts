import { expect, test } from "vitest";
import { spellInstants } from "./time.ts";

test("instants are spelled by their names, at any depth, and nothing else is touched", () => {
  const at = Date.UTC(2026, 10, 20, 12, 30);
  const read = {
    createdAt: at,
    endedAt: null,
    leavingUntil: at,
    pastDueSince: at,
    amountMinor: at,
    format: 5,
    atHome: 7,
  };
  const spelled = "2026-11-20T12:30:00.000Z";
  expect(spellInstants({ rows: [read], word: "At", list: [1, "two", null] })).toEqual({
    rows: [{ ...read, createdAt: spelled, leavingUntil: spelled, pastDueSince: spelled }],
    word: "At",
    list: [1, "two", null],
  });
});
