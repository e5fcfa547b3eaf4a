import { describe, expect, test } from "vitest";
import { hourMs, minuteMs } from "#app/core/time/time.ts";
import { movementSince, newViewMs, recordSeenPosition } from "./queue.rules.ts";
import type { SeenPosition, SeenPositions } from "./seen-positions.rules.ts";

const now = 1_800_000_000_000;
const position = (at: number, ahead: number, friends = 0): SeenPosition => ({ at, ahead, friends });

describe("the change of position that an entry's owner sees", () => {
  test("is omitted at the first visit", () => {
    expect(movementSince(null, position(now, 12))).toBeNull();
    expect(recordSeenPosition(null, position(now, 12))).toEqual({ last: position(now, 12), before: null });
  });

  test("is the difference from the visit before, up or down", () => {
    const seen: SeenPositions = { last: position(now - 2 * hourMs, 12, 1), before: null };
    expect(movementSince(seen, position(now, 7, 2))).toEqual({ since: now - 2 * hourMs, ahead: -5, friends: 1 });
    expect(movementSince(seen, position(now, 15, 0))).toEqual({ since: now - 2 * hourMs, ahead: 3, friends: -1 });
  });

  test("is still shown when the page is loaded again within the hour, exact to the millisecond", () => {
    const [long, lately] = [position(now - 5 * hourMs, 12), position(now, 7)];
    const seen: SeenPositions = { last: lately, before: long };
    for (const later of [minuteMs, newViewMs - 1]) {
      expect(recordSeenPosition(seen, position(now + later, 6))).toBeNull();
      expect(movementSince(seen, position(now + later, 6))).toMatchObject({ since: long.at, ahead: -6 });
    }
    const again = position(now + newViewMs, 6);
    expect(recordSeenPosition(seen, again)).toEqual({ last: again, before: lately });
    expect(movementSince(seen, again)).toMatchObject({ since: now, ahead: -1 });
  });
});
