/**
 * `npm run simulate`: years of life from one seed. Plays stories of people, operators, banks and faults on the real modules, checks the
 * invariants on the way, and prints a failed story in as few steps as it can.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { product } from "#app/product/config.ts";
import { readOptions, stop } from "../../command-line.ts";
import { shrink } from "./shrink.ts";
import { bundleSimulator, startSimulator, type Simulator } from "./start-simulator.ts";
import { isOfPerson } from "./is-of-person.ts";
import { readStory } from "./read-story.ts";
import type { Played, Story, Violation } from "./story.ts";
import { writeStory } from "./story.rules.ts";
import { describeStory } from "./describe-story.ts";

const usage = `npm run simulate -- [--seed N] [--years Y] [--people P]   plays the story of that seed
npm run simulate -- --minutes N                          plays one seed after another for that long
npm run simulate -- --story FILE                         plays a stored story
npm run simulate -- --tell --seed N                      prints a story without playing it
  --d1        plays on a real D1 only, which takes many times as long
  --keep      stores a failed story, shortened, in tests/simulation/stories
  --no-shrink prints the seed of a failure alone
  --all       plays until the time is over, also after a failure`;

const options = readOptions(
  {
    seed: { type: "string", default: "1" },
    // A year that began with someone's second visit is renewed, and ended with a month's notice.
    years: { type: "string", default: "1.25" },
    people: { type: "string", default: "8" },
    minutes: { type: "string" },
    story: { type: "string" },
    tell: { type: "boolean", default: false },
    d1: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    "no-shrink": { type: "boolean", default: false },
    all: { type: "boolean", default: false },
  },
  usage,
);
const storiesFolder = "tests/simulation/stories";
/** Shortening a story ends after this long; what it has found by then is printed. */
const shrinkMsMax = 5 * 60_000;

const seed = wholeNumberOf("seed", options.seed, Number.MAX_SAFE_INTEGER);
const years = numberOf("years", options.years, 100);
const people = wholeNumberOf("people", options.people, 1000);
const minutes = options.minutes === undefined ? null : numberOf("minutes", options.minutes, 24 * 60);

function numberOf(name: string, text: string, max: number): number {
  const value = Number(text);
  return value > 0 && value <= max ? value : stop(`--${name} must be a number above 0, up to ${max}.\n\n${usage}`);
}

function wholeNumberOf(name: string, text: string, max: number): number {
  const value = Number(text);
  const isRight = Number.isInteger(value) && value >= 1 && value <= max;
  return isRight ? value : stop(`--${name} must be a whole number from 1 to ${max}.\n\n${usage}`);
}

const given = options.story === undefined ? null : storyIn(options.story);
function storyIn(path: string): Story {
  try {
    return readStory(path);
  } catch (error) {
    return stop(`${path} isn't a story that --keep stored. ${error instanceof Error ? error.message : String(error)}`);
  }
}
const storyOf = (own: number): Story => given ?? writeStory({ seed: own, years, people });

if (storyOf(seed).steps.length === 0)
  stop(`Nothing happens to ${people} people in ${years} years: take more of either.\n\n${usage}`);

if (options.tell) {
  console.log(describeStory(storyOf(seed), product));
  process.exit();
}

type Failure = { story: Story; violation: Violation };

const beganAt = Date.now();
const contents = await bundleSimulator();
const isSingle = minutes === null;
const simulators = await Promise.all(
  Array.from({ length: isSingle ? 1 : availableParallelism() }, () => startSimulator(contents)),
);
const totals = {
  played: 0,
  steps: 0,
  days: 0,
  spent: new Map<string, number>(),
  calls: { database: 0, stripe: 0 },
  emails: 0,
};
const reports = new Map<string, number>();
const failures: Failure[] = [];
const until = beganAt + (minutes ?? 0) * 60_000;
const playedFrom = Date.now();
let next = seed;
await Promise.all(simulators.map(playSeeds));
printTotals();
if (failures.length === 0) console.log("No invariant was violated.");
for (const failure of firstOfEachInvariant()) await printFailure(failure);
await Promise.all(simulators.map((simulator) => simulator.stop()));
process.exitCode = failures.length > 0 ? 1 : 0;

/** Plays until the time is over or, without `--all`, until something fails. */
async function playSeeds(simulator: Simulator): Promise<void> {
  for (;;) {
    const own = next;
    next += 1;
    const story = storyOf(own);
    const played = await simulator.play(story, options.d1);
    add(story, played);
    if (played.violation) {
      failures.push({ story, violation: played.violation });
      const { invariant, details } = played.violation;
      console.log(`Seed ${story.seed} violates: ${invariant}\n${JSON.stringify(details)}`);
    }
    if (isSingle || Date.now() > until || (failures.length > 0 && !options.all)) return;
  }
}

function add(story: Story, played: Played): void {
  totals.played += 1;
  totals.steps += Object.keys(played.outcomes).length;
  totals.days += daysOfPeople(story, played.lastedDays);
  totals.emails += played.emails;
  if (isSingle) console.log(`The rows, Stripe's objects and the emails have the hash ${played.hash}.`);
  totals.calls.database += played.calls.database;
  totals.calls.stripe += played.calls.stripe;
  for (const [kind, ms] of Object.entries(played.spent)) totals.spent.set(kind, (totals.spent.get(kind) ?? 0) + ms);
  for (const [error, times] of Object.entries(played.reports)) reports.set(error, (reports.get(error) ?? 0) + times);
}

/** The days of all people together, each from their first step. */
function daysOfPeople({ steps }: Story, lastedDays: number): number {
  const beganAt = new Map<string, number>();
  for (const { who, at } of steps.filter(isOfPerson)) if (!beganAt.has(who)) beganAt.set(who, at / (24 * 60));
  return [...beganAt.values()].reduce((sum, day) => sum + Math.max(0, lastedDays - day), 0);
}

function firstOfEachInvariant(): Failure[] {
  const nameOf = ({ violation }: Failure) => violation.invariant;
  const names = failures.map(nameOf);
  return failures.filter((failure, at) => names.indexOf(nameOf(failure)) === at);
}

function printTotals(): void {
  const personYears = totals.days / 365;
  const perMinute = personYears / ((Date.now() - playedFrom) / 60_000);
  const { played, steps, emails, calls } = totals;
  console.log(
    `${played === 1 ? `Seed ${given?.seed ?? seed}` : `Seeds ${seed} to ${seed + played - 1}`}: ${personYears.toFixed(1)} person-years, ${perMinute.toFixed(1)} a minute; ${steps} steps, ` +
      `${calls.database} calls to the database, ${calls.stripe} to Stripe, ${emails} emails.`,
  );
  const all = [...totals.spent.values()].reduce((sum, ms) => sum + ms, 0);
  const kinds = [...totals.spent].toSorted(([, left], [, right]) => right - left).slice(0, 8);
  console.log(`Time: ${kinds.map(([kind, ms]) => `${kind} ${Math.round((100 * ms) / all)}%`).join(", ")}.`);
  if (reports.size > 0) console.log("What the site reported to its team on the way, as it should:");
  for (const [error, times] of reports) console.log(`  ${times} × ${error}`);
}

async function printFailure({ story, violation }: Failure): Promise<void> {
  if (options["no-shrink"]) return;
  const [simulator] = simulators;
  if (!simulator) return;
  const shrinkUntil = Date.now() + shrinkMsMax;
  // What came after the violation isn't part of it.
  const at = story.steps.findIndex(({ id }) => id === violation.afterStep);
  const start = { ...story, steps: story.steps.slice(0, at + 1) };
  const fails = async (part: Story) => (await simulator.play(part)).violation?.invariant === violation.invariant;
  const whole = (await fails(start)) ? start : story;
  const short = await shrink(whole, fails, () => Date.now() > shrinkUntil);
  const last = await simulator.play(short);
  console.log(
    `\nSeed ${story.seed} in ${short.steps.length} steps:\n${describeStory(short, product)}\n${JSON.stringify(last.violation?.details)}`,
  );
  if (!options.keep) return;
  mkdirSync(storiesFolder, { recursive: true });
  // Names plans by their roles, since the story is played on every product.
  const text = describeStory(short, { ...product, plans: [] }).split("\n");
  const name = violation.invariant
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 60);
  const file = join(storiesFolder, `${name}-${story.seed}.json`);
  writeFileSync(file, `${JSON.stringify({ invariant: violation.invariant, text, story: short }, null, 2)}\n`);
  console.log(`\nStored as ${file}: the suite plays it from now on.`);
}
