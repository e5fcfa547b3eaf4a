import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestHarness } from "wrangler";
import { emulatorUnderContract } from "#tests/support/stripe-contract.ts";
import { planted, startAltered } from "#tests/stripe/script/altered-emulator.ts";
import { compareRecordings, type Difference } from "#tests/stripe/script/compare.ts";
import { withoutKnown } from "#tests/stripe/script/known-differences.ts";
import type { Recording } from "#tests/stripe/script/normalise.ts";
import { recordedSteps, readRecording } from "#tests/stripe/script/recorded.ts";
import { runSteps, steps } from "#tests/stripe/script/run-steps.ts";
import { emulatorTarget, refusalOfKey, stripeTarget } from "#tests/stripe/script/target.ts";

/** The traffic of the first is held against the SDK's types, too. */
const contract = emulatorUnderContract("product");
const plain = "workers/stripe-local/wrangler.toml";
const harnesses = [contract.configPath, plain, plain].map((configPath) =>
  createTestHarness({ workers: [{ configPath }] }),
);
let checked = "";

/** Of an emulator, of another one, and of one that was altered. */
let one: Recording[] = [];
let same: Recording[] = [];
let other: Recording[] = [];

beforeAll(async () => {
  const [here, there, behind] = await Promise.all(
    harnesses.map(async (harness) => (await harness.listen()).url.origin),
  );
  checked = String(here);
  const proxy = await startAltered(String(behind), planted);
  [one = [], same = [], other = []] = await Promise.all(
    [here, there, proxy.origin].map((origin) => run(String(origin))),
  );
  proxy.close();
}, 300_000);
afterAll(() =>
  contract.close(checked, async () => void (await Promise.all(harnesses.map((harness) => harness.close())))),
);

async function run(origin: string): Promise<Recording[]> {
  const target = emulatorTarget(origin);
  try {
    return await runSteps(target, { isAttended: false, say: () => undefined });
  } finally {
    target.close();
  }
}

const between = (left: Recording[], right: Recording[]): Difference[] =>
  left.flatMap((recording, at) => {
    const counterpart = right[at];
    if (counterpart === undefined) throw new Error(`${recording.step} wasn't run`);
    return compareRecordings(recording, counterpart);
  });

describe("the script of npm run test:stripe", () => {
  test("has all of its steps done by the emulator", () => {
    expect(one.map(({ step }) => step)).toEqual(steps.map(({ name }) => name));
    for (const { step, calls, facts } of one) {
      expect(calls.length, step).toBeGreaterThan(1);
      expect(facts, step).not.toHaveProperty("failed");
    }
  });

  test("finds no difference between two emulators", () => {
    expect(between(one, same)).toEqual([]);
  });

  test("plants twenty differences, each of another kind", () => {
    expect(new Set(planted.map(({ name }) => name)).size).toBe(20);
  });

  test.for(planted)("finds in an altered emulator: $name", ({ isFound }) => {
    expect(between(one, other).filter(isFound)).not.toEqual([]);
  });

  test("finds nothing that wasn't planted", () => {
    // A planted id, list or amount shows where the gateway reads it, too.
    const stray = between(one, other).filter(
      (difference) => difference.call !== "facts" && !planted.some(({ isFound }) => isFound(difference)),
    );
    expect(stray).toEqual([]);
  });

  test.for(recordedSteps())("the emulator answers as Stripe did: %s", (step) => {
    const own = one.find((recording) => recording.step === step);
    expect(own, `${step} is no step any more`).toBeDefined();
    if (own) expect(withoutKnown(compareRecordings(own, readRecording(step)))).toEqual([]);
  });
});

describe("a key", () => {
  test.for([
    "sk_live_123456789",
    "rk_live_123456789",
    "pk_live_123456789",
    "rk_test_123456789",
    "pk_test_123456789",
    "whsec_123456789",
    "local-stripe-key",
    "sk_test_",
    "",
  ])("is refused: %s", (key) => {
    expect(refusalOfKey(key)).toMatch(/sk_test_/);
    expect(() => stripeTarget(key)).toThrow(/sk_test_/);
  });

  test("of live mode ends the command before it asks anybody", () => {
    const env = { ...process.env, STRIPE_SECRET_KEY: "sk_live_123456789", STRIPE_TEST_KEY: undefined };
    const { status, stdout, stderr } = spawnSync("npm", ["run", "-s", "test:stripe"], { env, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("live mode");
  });

  test("of test mode is taken", () => {
    expect(refusalOfKey("sk_test_51Abcdefgh")).toBeNull();
  });
});
