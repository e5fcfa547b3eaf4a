import { describe, expect, test } from "vitest";
import { hourMs, minuteMs } from "#app/core/time/time.ts";
import { movementSince, newViewMs, recordSeenPosition } from "./queue.rules.ts";
import type { SeenPosition, SeenPositions } from "./seen-positions.rules.ts";

const now = 1_800_000_000_000;
const look = (at: number, ahead: number, friends = 0): SeenPosition => ({ at, ahead, friends });

describe("the change of position that an entry's owner sees", () => {
  test("is omitted at the first visit", () => {
    expect(movementSince(null, look(now, 12))).toBeNull();
    expect(recordSeenPosition(null, look(now, 12))).toEqual({ last: look(now, 12), before: null });
  });

  test("is the difference from the visit before, up or down", () => {
    const looks: SeenPositions = { last: look(now - 2 * hourMs, 12, 1), before: null };
    expect(movementSince(looks, look(now, 7, 2))).toEqual({ since: now - 2 * hourMs, ahead: -5, friends: 1 });
    expect(movementSince(looks, look(now, 15, 0))).toEqual({ since: now - 2 * hourMs, ahead: 3, friends: -1 });
  });

  test("is still shown when the page is loaded again within the hour, exact to the millisecond", () => {
    const [long, lately] = [look(now - 5 * hourMs, 12), look(now, 7)];
    const looks: SeenPositions = { last: lately, before: long };
    for (const later of [minuteMs, newViewMs - 1]) {
      expect(recordSeenPosition(looks, look(now + later, 6))).toBeNull();
      expect(movementSince(looks, look(now + later, 6))).toMatchObject({ since: long.at, ahead: -6 });
    }
    const again = look(now + newViewMs, 6);
    expect(recordSeenPosition(looks, again)).toEqual({ last: again, before: lately });
    expect(movementSince(looks, again)).toMatchObject({ since: now, ahead: -1 });
  });
});
