import { existsSync, globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shrink } from "../../../scripts/simulate/shrink.ts";
import { bundleSimulator, startSimulator, type Simulator } from "../../../scripts/simulate/start-simulator.ts";
import type { Story } from "../../../scripts/simulate/story.ts";
import { writeStory } from "../../../scripts/simulate/story.rules.ts";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator(await bundleSimulator(["foyer-tests"]));
});
afterAll(() => simulator.stop());

const folder = "tests/simulation/stories";
const stored = existsSync(folder) ? globSync(`${folder}/*.json`).toSorted() : [];

/** Failures that the simulation found once, in as few steps as it took. */
test.each(stored)("%s", async (file) => {
  // Written by `npm run simulate -- --keep`.
  const { story } = JSON.parse(readFileSync(file, "utf8")) as { story: Story };
  expect((await simulator.play(story)).violation).toBeNull();
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

test("a failing story is shortened to the steps that matter", async () => {
  const story = writeStory({ seed: 105, years: 0.3, people: 4 });
  const fails = async ({ steps }: Story) =>
    steps.some((step) => step.do === "signs in") && steps.some((step) => step.do === "buys");
  const short = await shrink(story, fails);
  expect(short.steps.map((step) => step.do).toSorted()).toEqual(["buys", "signs in"]);
});
