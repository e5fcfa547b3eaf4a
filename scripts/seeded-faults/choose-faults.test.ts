import { describe, expect, test } from "vitest";
import { chooseFaults } from "./choose-faults.ts";
import type { Fault } from "./fault.ts";

function fault(file: string, tests = `${file}.test`): Fault {
  return { name: file, file, find: "", replace: "", suite: "unit", tests };
}

const faults: Fault[] = [
  fault("app/modules/codes/rules.ts"),
  fault("app/modules/codes/commands/send.server.ts"),
  fault("app/modules/orders/rules.ts", "tests/integration/orders/orders.test.ts"),
  fault("app/core/money/money.ts"),
  fault("workers/cron.ts"),
  fault("workers/monitoring/envelopes/scrub.rules.ts"),
  fault("scripts/costs/costs.rules.ts"),
  { ...fault("app/modules/codes/quotas.rules.ts", "scripts/simulate/simulate.ts"), suite: "simulate", by: "" },
];

const chosenFor = (...changed: string[]) => chooseFaults(faults, changed).map(({ file }) => file);

describe("a change runs the seeded faults", () => {
  test("of the module that has a changed file, wherever both are in it", () => {
    const ofCodes = ["app/modules/codes/rules.ts", "app/modules/codes/commands/send.server.ts"];
    expect(chosenFor("app/modules/codes/queries.server.ts")).toEqual(ofCodes);
    expect(chosenFor("app/modules/codes/reads/find.server.ts", "app/modules/codes/rules.test.ts")).toEqual(ofCodes);
  });

  test.each([
    ["app/core/text/path.ts", ["app/core/money/money.ts"]],
    ["workers/monitoring/rules.ts", ["workers/monitoring/envelopes/scrub.rules.ts"]],
    ["scripts/costs/costs.ts", ["scripts/costs/costs.rules.ts"]],
  ])("of the part of the code that %s is in", (changed, chosen) => expect(chosenFor(changed)).toEqual(chosen));

  test("in a file that belongs to no folder, if that file changed", () => {
    expect(chosenFor("workers/cron.ts")).toEqual(["workers/cron.ts"]);
    expect(chosenFor("workers/app.ts")).toEqual([]);
  });

  test("whose tests changed", () => {
    expect(chosenFor("tests/integration/orders/orders.test.ts")).toEqual(["app/modules/orders/rules.ts"]);
  });

  test("and no others: not those of a similar name, of documents, nor of the simulation", () => {
    expect(chosenFor("app/modules/codes-of-others/rules.ts", "app/modules/order/rules.ts")).toEqual([]);
    expect(chosenFor("README.md", "docs/guides/testing.md", "package.json")).toEqual([]);
    expect(chosenFor("scripts/simulate/simulate.ts")).toEqual([]);
    expect(chosenFor()).toEqual([]);
  });
});
