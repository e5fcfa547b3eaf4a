import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("the commit that runs in production can be named, when it isn't the newest tag", () => {
  const { stdout } = spawnSync("node", ["scripts/checks/check-previous.ts"], {
    env: { ...process.env, PREVIOUS: "HEAD" },
    encoding: "utf8",
  });
  expect(stdout).toBe("No migration was added since HEAD.\n");
});
