import { describe, expect, test } from "vitest";
import { decideSeats, nameDevices, seatNoticeMs, surplusOf } from "./seats.rules.ts";

const now = 1_000_000;
const fresh = { state: "due", seats: null, releasesAt: null } as const;
const announced = { state: "announced", seats: 3, releasesAt: now + seatNoticeMs } as const;

describe("devices and the seats of a plan", () => {
  test.each([
    ["as many as seats: nothing to do", fresh, { seats: 3, used: 3 }, { what: "forget" }],
    ["fewer, though it was announced", announced, { seats: 3, used: 2 }, { what: "forget" }],
    ["no plan at all: they wait for the next one", fresh, { seats: null, used: 3 }, { what: "forget" }],
    ["no plan any more, though it was announced", announced, { seats: null, used: 5 }, { what: "forget" }],
    ["more: announced", fresh, { seats: 1, used: 3 }, { what: "announce", releasesAt: now + seatNoticeMs }],
    ["more, and the day is to come", announced, { seats: 3, used: 5 }, { what: "wait" }],
    [
      "more, and the plan changed again to as many",
      { ...announced, state: "due" },
      { seats: 3, used: 5 },
      { what: "keep" },
    ],
    [
      "more, and the plan has more seats than announced",
      { ...announced, state: "due" },
      { seats: 4, used: 5 },
      { what: "keep" },
    ],
    [
      "more, and the plan has fewer seats than announced: announced again",
      { ...announced, state: "due" },
      { seats: 1, used: 5 },
      { what: "announce", releasesAt: now + seatNoticeMs },
    ],
  ] as const)("%s", (_, reduction, use, verdict) => {
    expect(decideSeats(reduction, use, now)).toEqual(verdict);
  });

  test("are removed on the due day, and not a millisecond earlier", () => {
    const use = { seats: 3, used: 5 };
    expect(decideSeats(announced, use, announced.releasesAt - 1)).toEqual({ what: "wait" });
    expect(decideSeats(announced, use, announced.releasesAt)).toEqual({ what: "release" });
  });

  test("that exceed the limit are the least recently used", () => {
    expect(surplusOf(["today", "yesterday", "last year"], 1)).toEqual(["yesterday", "last year"]);
    expect(surplusOf(["today"], 1)).toEqual([]);
  });

  test("are named in an email up to a maximum number", () => {
    expect(nameDevices(["a", "b"])).toEqual({ devices: "a, b", more: 0 });
    expect(nameDevices(["a", "b", "c", "d", "e", "f", "g"])).toEqual({ devices: "a, b, c, d, e", more: 2 });
  });
});
