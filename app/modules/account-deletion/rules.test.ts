import { describe, expect, test } from "vitest";
import { dataFileName, checkClosing, checkRestore, restoreMs } from "./rules.ts";

const active = { state: "active", leavingUntil: null } as const;
const pendingDeletion = { state: "leaving", leavingUntil: restoreMs } as const;

describe("closing an account", () => {
  test("is open to an active account with a re-authentication, and to no other", () => {
    expect(checkClosing(active, true)).toBeNull();
    expect(checkClosing(active, false)).toEqual({ reason: "proof-stale" });
    // An account that is closed already is refused without a re-authentication first.
    expect(checkClosing(pendingDeletion, false)).toEqual({ reason: "account-leaving" });
    expect(checkClosing({ state: "gone", leavingUntil: null }, true)).toEqual({ reason: "account-leaving" });
  });
});

describe("an account that was not had back", () => {
  test("never left, or is past its time", () => {
    expect(checkRestore(active)).toEqual({ reason: "not-leaving" });
    for (const account of [pendingDeletion, { state: "gone" }, undefined]) {
      expect(checkRestore(account)).toEqual({ reason: "restore-too-late" });
    }
  });
});

describe("the file with all data", () => {
  const at = Date.UTC(2026, 10, 20, 23, 59);

  test.each([
    ["Gull", "gull-data-2026-11-20.json"],
    ["Grey Gull 2", "grey-gull-2-data-2026-11-20.json"],
    ['"; filename="x', "filename-x-data-2026-11-20.json"],
    ["Küste", "k-ste-data-2026-11-20.json"],
    ["北", "account-data-2026-11-20.json"],
  ])("of %s is called %s", (product, name) => {
    expect(dataFileName(product, at)).toBe(name);
  });
});
