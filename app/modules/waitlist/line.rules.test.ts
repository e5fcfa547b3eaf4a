import { describe, expect, test } from "vitest";
import { hourMs, minuteMs } from "#app/core/time/time.ts";
import { judgeMovement, newLookMs, noteLook } from "./line.rules.ts";
import type { Look, Looks } from "./looks.rules.ts";

const now = 1_800_000_000_000;
const look = (at: number, ahead: number, friends = 0): Look => ({ at, ahead, friends });

describe("what an owner is told", () => {
  test("is nothing at the first look", () => {
    expect(judgeMovement(null, look(now, 12))).toBeNull();
    expect(noteLook(null, look(now, 12))).toEqual({ last: look(now, 12), before: null });
  });

  test("is how far it went since the look before, forwards and backwards", () => {
    const looks: Looks = { last: look(now - 2 * hourMs, 12, 1), before: null };
    expect(judgeMovement(looks, look(now, 7, 2))).toEqual({ since: now - 2 * hourMs, ahead: -5, friends: 1 });
    expect(judgeMovement(looks, look(now, 15, 0))).toEqual({ since: now - 2 * hourMs, ahead: 3, friends: -1 });
  });

  test("is still there when the page is loaded again within the hour, exact at its edge", () => {
    const [long, lately] = [look(now - 5 * hourMs, 12), look(now, 7)];
    const looks: Looks = { last: lately, before: long };
    for (const later of [minuteMs, newLookMs - 1]) {
      expect(noteLook(looks, look(now + later, 6))).toBeNull();
      expect(judgeMovement(looks, look(now + later, 6))).toMatchObject({ since: long.at, ahead: -6 });
    }
    const anew = look(now + newLookMs, 6);
    expect(noteLook(looks, anew)).toEqual({ last: anew, before: lately });
    expect(judgeMovement(looks, anew)).toMatchObject({ since: now, ahead: -1 });
  });
});
