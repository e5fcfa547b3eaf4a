import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { product as fixed } from "#app/product/config.ts";
// By its path: the tests' product replaces the other name.
import { product as own } from "../../../app/product/config.ts";

/** The tests' own product has already passed the smoke suite, so an identical config needs no separate build. */
const isOwnAnother = JSON.stringify(own) !== JSON.stringify(fixed);

test("the smoke suite passes with app/product/config.ts, and with a sample of what a config may contain", () => {
  const configs = ["sample", ...(isOwnAnother ? ["own"] : [])];
  const { status, stdout, stderr } = spawnSync("node", ["scripts/maintainers/checks/check-configs.ts", ...configs], {
    encoding: "utf8",
  });
  expect(status, stdout + stderr).toBe(0);
}, 900_000);
