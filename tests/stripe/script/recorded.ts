import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Recording } from "./normalise.ts";

/** What Stripe's test mode answered, one file per step, written by `npm run test:stripe -- --record`. */
const committed = resolve("tests/stripe/recorded");

export function recordedSteps(folder = committed): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.replace(/\.json$/, ""));
}

export function readRecording(step: string, folder = committed): Recording {
  // Written below, in this type.
  return JSON.parse(readFileSync(join(folder, `${step}.json`), "utf8")) as Recording;
}

export function writeRecording(recording: Recording, folder = committed): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${recording.step}.json`), `${JSON.stringify(recording, null, 2)}\n`);
}
