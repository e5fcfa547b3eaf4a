/**
 * `npm run test:stripe`: runs one script of billing calls against the Stripe emulator and against Stripe's test mode, and prints every
 * difference. Reads the key from STRIPE_TEST_KEY or STRIPE_SECRET_KEY of the environment, never from `.dev.vars`.
 * Without a key the emulator is compared with the recordings in tests/stripe/recorded.
 */
import { parseArgs } from "node:util";
import { createTestHarness } from "wrangler";
import type { Recording } from "#tests/stripe/script/normalise.ts";
import { readRecording, recordedSteps, writeRecording } from "#tests/stripe/script/recorded.ts";
import { reportDifferences } from "#tests/stripe/script/report.ts";
import { runSteps, steps } from "#tests/stripe/script/run-steps.ts";
import { buildEmulator, emulatorConfig } from "./emulator.ts";
import { emulatorTarget, refusalOfKey, stripeTarget } from "#tests/stripe/script/target.ts";

const say = (line: string): void => console.log(line);
const { record, manual, only } = readArguments();
// An empty variable is an unset one.
const key = process.env.STRIPE_TEST_KEY || process.env.STRIPE_SECRET_KEY || "";
const refusal = key === "" ? null : refusalOfKey(key);
if (refusal !== null) stop(`STRIPE_SECRET_KEY: ${refusal}`);
if (key === "" && record)
  stop("There is nothing to record without a key: set STRIPE_SECRET_KEY to one that begins with sk_test_.");

const own = await askEmulator();
const theirs = key === "" ? committed() : await askStripe();
const { lines, isSame } = reportDifferences(own, theirs);
for (const line of lines) say(line);
process.exitCode = isSame ? 0 : 1;

async function askEmulator(): Promise<Recording[]> {
  say(`The Stripe emulator: ${only ?? `${steps.length} steps`}`);
  buildEmulator();
  const harness = createTestHarness({ workers: [{ configPath: emulatorConfig }] });
  const { url } = await harness.listen();
  const target = emulatorTarget(url.origin);
  try {
    return await runSteps(target, { isAttended: false, say, only });
  } finally {
    target.close();
    await harness.close();
  }
}

async function askStripe(): Promise<Recording[]> {
  say("Stripe's test mode: the same, on test clocks, which takes some minutes");
  const target = stripeTarget(key);
  const recordings = await runSteps(target, { isAttended: manual, say, only });
  target.close();
  const done = recordings.filter(({ facts }) => !Reflect.has(Object(facts), "failed"));
  if (record) for (const recording of done) writeRecording(recording);
  return recordings;
}

function committed(): Recording[] {
  const names = recordedSteps().filter((name) => only === null || name === only);
  if (names.length === 0) {
    say(
      "No key and no recordings, so there is nothing to compare with. Set STRIPE_SECRET_KEY to one that begins with sk_test_.",
    );
  }
  return names.map((name) => readRecording(name));
}

function readArguments(): { record: boolean; manual: boolean; only: string | null } {
  try {
    const flag = { type: "boolean", default: false } as const;
    const { values } = parseArgs({ options: { record: flag, manual: flag, only: { type: "string" } } });
    const wanted = values.only ?? null;
    if (wanted !== null && !steps.some(({ name }) => name === wanted))
      stop(`There is no step ${wanted}. There are: ${steps.map(({ name }) => name).join(", ")}`);
    return { record: values.record, manual: values.manual, only: wanted };
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error));
  }
}

function stop(message: string): never {
  console.error(message);
  process.exit(2);
}
