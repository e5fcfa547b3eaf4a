import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const check = (PREVIOUS: string) =>
  spawnSync("node", ["scripts/maintainers/checks/check-previous.ts"], {
    env: { ...process.env, PREVIOUS },
    encoding: "utf8",
  });

test("a release before 0.2.0 isn't checked, since its database isn't kept", () => {
  expect(check("HEAD")).toMatchObject({ status: 0, stdout: expect.stringContaining("from 0.2.0 on") });
});

test("a commit that runs and was never pushed is asked for, in place of another one", () => {
  const unknown = "0123456789012345678901234567890123456789";
  const { status, stderr } = check(unknown);
  expect([status, stderr]).toEqual([1, expect.stringMatching(`^PREVIOUS is ${unknown}.*push the commit`)]);
});
