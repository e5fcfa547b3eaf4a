import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "stripe-emulator";
import { beforeAll, describe, expect, test } from "vitest";
import { emulatorUnderContract } from "#tests/support/billing/stripe-contract.ts";
import { runEmulator } from "#tests/support/site/run-emulator.ts";
import { planted, startAltered } from "#tests/stripe/script/altered-emulator.ts";
import { compareRecordings, type Difference, sayDifference } from "#tests/stripe/script/compare.ts";
import { withoutKnown } from "#tests/stripe/script/known-differences.ts";
import type { Recording } from "#tests/stripe/script/normalise.ts";
import { readRecording, recordedSteps, writeRecording } from "#tests/stripe/script/recorded.ts";
import { reportDifferences } from "#tests/stripe/script/report.ts";
import { runSteps, steps } from "#tests/stripe/script/run-steps.ts";
import { emulatorTarget, refusalOfKey, stripeTarget } from "#tests/stripe/script/target.ts";

/** The traffic of the first is checked against the SDK's types, too. */
const contract = emulatorUnderContract("product");
/** Of an emulator in a Worker, of one on Node, and of one that was altered. */
let one: Recording[] = [];
let same: Recording[] = [];
let other: Recording[] = [];

beforeAll(async () => {
  const [checked, there, behind] = await Promise.all([runEmulator(contract.kind), startEmulator(), runEmulator()]);
  const proxy = await startAltered(behind.origin, planted);
  [one = [], same = [], other = []] = await Promise.all([checked, there, proxy].map(({ origin }) => run(origin)));
  proxy.close();
  await Promise.all([contract.close(checked.origin, checked.close), there.close(), behind.close()]);
}, 300_000);

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
  test("has all of its steps implemented by the emulator", () => {
    expect(one.map(({ step }) => step)).toEqual(steps.map(({ name }) => name));
    for (const { step, calls, facts } of one) {
      expect(calls.length, step).toBeGreaterThan(1);
      expect(facts, step).not.toHaveProperty("failed");
    }
  });

  test("finds no difference between two emulators, one in a Worker and one on Node", () => {
    expect(between(one, same)).toEqual([]);
  });

  test("inserts twenty differences of distinct kinds", () => {
    expect(new Set(planted.map(({ name }) => name)).size).toBe(20);
  });

  test.for(planted)("finds the difference in an altered emulator: $name", ({ isFound }) => {
    expect(between(one, other).filter(isFound)).not.toEqual([]);
  });

  test("finds no difference that wasn't inserted", () => {
    // A planted id, list or amount shows where the integration reads it, too.
    const stray = between(one, other).filter(
      (difference) => difference.call !== "facts" && !planted.some(({ isFound }) => isFound(difference)),
    );
    expect(stray).toEqual([]);
  });

  test("prints a line for each inserted difference, and for a missing step", () => {
    const gone = { step: "gone", calls: [], facts: null, events: {} };
    const { lines, isSame } = reportDifferences(one, [...other, gone]);
    expect(isSame).toBe(false);
    for (const { name, isFound } of planted) {
      const found = between(one, other).find(isFound);
      expect(lines, name).toContain(found ? sayDifference(found) : name);
    }
    expect(lines.at(-2)).toContain("gone");
    expect(reportDifferences(one, same)).toEqual({
      lines: [`${steps.length} steps compared, 0 differences`],
      isSame: true,
    });
  });

  test("reads recordings from their files as written, without the run's ids, keys or times", () => {
    const folder = mkdtempSync(join(tmpdir(), "foyer-recorded-"));
    for (const recording of same) writeRecording(recording, folder);
    const names = recordedSteps(folder);
    expect(names.toSorted()).toEqual(steps.map(({ name }) => name).toSorted());
    const read = names.map((name) => readRecording(name, folder));
    expect(reportDifferences(one, read)).toMatchObject({ isSame: true });
    const text = JSON.stringify(read);
    expect(text).not.toMatch(/local-key|sk_test|\b(?:cus|sub|in|pi|ch)_[A-Za-z0-9]{8}|"[^"]+_secret_|:1[0-9]{9}[,}]/);
    rmSync(folder, { recursive: true });
  });

  test.for(recordedSteps())("compares the emulator's answer with Stripe's: %s", (step) => {
    const own = one.find((recording) => recording.step === step);
    expect(own, `${step} is no step any more`).toBeDefined();
    if (own) expect(withoutKnown(compareRecordings(own, readRecording(step)))).toEqual([]);
  });
});

describe("an API key", () => {
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

  test.for<{ STRIPE_SECRET_KEY: string; STRIPE_TEST_KEY?: string }>([
    { STRIPE_SECRET_KEY: "sk_live_123456789" },
    { STRIPE_SECRET_KEY: "rk_live_123456789" },
    { STRIPE_SECRET_KEY: "sk_live_123456789", STRIPE_TEST_KEY: "" },
    { STRIPE_SECRET_KEY: "", STRIPE_TEST_KEY: "sk_live_123456789" },
  ])("of live mode ends the command immediately: %o", (keys) => {
    const env = { ...process.env, STRIPE_TEST_KEY: undefined, ...keys };
    const { status, stdout, stderr } = spawnSync("npm", ["run", "-s", "test:stripe"], { env, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("live mode");
  });

  test("of test mode is accepted", () => {
    expect(refusalOfKey("sk_test_51Abcdefgh")).toBeNull();
  });
});
