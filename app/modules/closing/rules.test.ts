import { describe, expect, test } from "vitest";
import { dataFileName, checkClosing, checkRestore } from "./rules.ts";

const active = { state: "active" } as const;
const closed = { state: "closed" } as const;

describe("closing an account", () => {
  test("is allowed only for an active account with a recent re-authentication", () => {
    expect(checkClosing(active, true)).toBeNull();
    expect(checkClosing(active, false)).toEqual({ reason: "proof-stale" });
    // An account that is closed already is refused without a re-authentication first.
    expect(checkClosing(closed, false)).toEqual({ reason: "account-closed" });
    expect(checkClosing({ state: "erased" }, true)).toEqual({ reason: "account-closed" });
  });
});

describe("restoring an account", () => {
  test("is refused if the account wasn't closed or its restore period has ended", () => {
    expect(checkRestore(active)).toEqual({ reason: "not-closed" });
    for (const account of [closed, { state: "erased" }, undefined]) {
      expect(checkRestore(account)).toEqual({ reason: "restore-too-late" });
    }
  });
});

describe("the data export", () => {
  const at = Date.UTC(2026, 10, 20, 23, 59);

  test.each([
    ["Gull", "gull-data-2026-11-20.json"],
    ["Grey Gull 2", "grey-gull-2-data-2026-11-20.json"],
    ['"; filename="x', "filename-x-data-2026-11-20.json"],
    ["Küste", "k-ste-data-2026-11-20.json"],
    ["北", "account-data-2026-11-20.json"],
  ])("of %s has the file name %s", (product, name) => {
    expect(dataFileName(product, at)).toBe(name);
  });
});
