import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const check = (PREVIOUS: string) =>
  spawnSync("node", ["scripts/checks/check-previous.ts"], { env: { ...process.env, PREVIOUS }, encoding: "utf8" });

test("the commit that runs in production can be named, when it isn't the newest tag", () => {
  expect(check("HEAD").stdout).toBe("No migration was added since HEAD.\n");
});

test("a commit that runs and was never pushed is asked for, in place of another one", () => {
  const unknown = "0123456789012345678901234567890123456789";
  const { status, stderr } = check(unknown);
  expect([status, stderr]).toEqual([1, expect.stringMatching(`^PREVIOUS is ${unknown}.*push the commit`)]);
});
