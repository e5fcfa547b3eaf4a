import { globSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { minor, small } from "#tests/support/billing/catalogue.ts";
import { writeRehearsal } from "../../../scripts/rehearse/customers.rules.ts";
import { reportOf } from "../../../scripts/rehearse/report.rules.ts";
import { readStory } from "../../../scripts/maintainers/simulate/read-story.ts";
import { shrink } from "../../../scripts/maintainers/simulate/shrink.ts";
import {
  bundleSimulator,
  startSimulator,
  type Simulator,
} from "../../../scripts/maintainers/simulate/start-simulator.ts";
import type { Story } from "../../../scripts/maintainers/simulate/story.ts";
import { writeStory } from "../../../scripts/maintainers/simulate/story.rules.ts";

/** With the product of the tests, and with the repository's own, on which stories are stored. */
let simulator: Simulator;
let ownSimulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator(await bundleSimulator(["foyer-tests"]));
  ownSimulator = await startSimulator(await bundleSimulator());
});
afterAll(async () => {
  await simulator.stop();
  await ownSimulator.stop();
});

const stored = globSync("tests/simulation/stories/*.json").toSorted();

test("there are stored stories", () => expect(stored.length).toBeGreaterThan(0));

/** Failures that the simulation found once, in as few steps as it took. */
test.each(stored)("%s", async (file) => {
  expect((await ownSimulator.play(readStory(file))).violation).toBeNull();
});

test.each([
  [{}, "story"],
  [{ story: { seed: 1, isGated: false, steps: [] } }, "steps"],
  [{ story: { seed: 1, isGated: false, steps: [{ id: 1, at: 0, who: "Ada", do: "flies" }] } }, "steps.0.do"],
  [{ story: { seed: 1, isGated: false, steps: [{ id: 1, at: 0, who: "Ada", do: "withdraws" }] } }, "steps.0.order"],
])("a file that contains no story is refused: %j", (contents, where) => {
  const file = join(mkdtempSync(join(tmpdir(), "story-")), "story.json");
  writeFileSync(file, JSON.stringify(contents));
  expect(() => readStory(file)).toThrow(where);
});

test.each([101, 102])("half a year of five people, from seed %i", async (seed) => {
  expect((await simulator.play(writeStory({ seed, years: 0.5, people: 5 }))).violation).toBeNull();
});

test("the same seed gives the same rows, objects and emails, also on a real D1", async () => {
  const story = writeStory({ seed: 103, years: 0.06, people: 3 });
  const [first, second, onD1] = [
    await simulator.play(story),
    await simulator.play(story),
    await simulator.play(story, true),
  ];
  expect(first.emails).toBeGreaterThan(0);
  expect([second.hash, onD1.hash]).toEqual([first.hash, first.hash]);
  const other = await simulator.play({ ...story, seed: 104 });
  expect(other.hash).not.toBe(first.hash);
});

test("a rehearsal tells what ordinary customers paid and were told, and what a new price changes", async () => {
  const newMinor = minor(small) + 200;
  const [story] = writeRehearsal(8, 1, { [small.id]: { month: newMinor } });
  if (!story) throw new Error("No story was written");
  const { told = null, violation } = await simulator.play(story);
  expect(violation).toBeNull();
  const { counts, months, people, emails } = reportOf([{ seed: story.seed, told, violation }]);
  expect(counts.joined).toBe(8);
  expect(counts.paid).toBeGreaterThan(2);
  const paid = people.flatMap(({ orders }) => orders).filter(({ paidAt }) => paidAt !== null);
  expect(emails.find(({ template }) => template === "receipt")?.count).toBe(paid.length);
  const year = paid.filter((order) => new Date(order.paidAt ?? 0).getUTCFullYear() === 2027);
  expect(months.reduce((sum, { paidMinor }) => sum + paidMinor, 0)).toBe(
    year.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
  );
  const changed = people.flatMap(({ change }) =>
    change?.planId === small.id && change.interval === "month" ? change : [],
  );
  expect(changed.length).toBeGreaterThan(0);
  for (const change of changed) {
    expect(change).toMatchObject({ beforeMinor: minor(small), newMinor });
    expect([0, change.beforeMinor]).toContain(change.afterMinor);
    expect(change.chargedMinor % minor(small)).toBe(0);
  }
});

test("a failing story is shortened to the steps that matter", async () => {
  const story = writeStory({ seed: 105, years: 0.3, people: 4 });
  const fails = async ({ steps }: Story) =>
    steps.some((step) => step.do === "signs in") && steps.some((step) => step.do === "buys");
  const short = await shrink(story, fails);
  expect(short.steps.map((step) => step.do).toSorted()).toEqual(["buys", "signs in"]);
});
