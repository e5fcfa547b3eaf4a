import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { featureSamples } from "#tests/support/features.ts";
import { withoutComments } from "../code/imports.ts";

/**
 * The words of the sample product are the sample's: a team that sells something else edits app/product/config.ts and
 * the landing page, and finds them nowhere else. `npm run check:rename` runs the suites of a copy with other words.
 */
const files = ["app", "workers", "packages/stripe-emulator", "tests", "scripts", "bench"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
);
const texts = files.filter((path) => /\.(tsx?|mjs|mts|css|toml|json|vars)$/.test(path)).map(readText);

/**
 * The sample itself: its configuration and the tests' copy of it, the landing page with its picture, and the accounts
 * of the demo.
 */
const own =
  /^scripts\/demo\/|^app\/product\/|^app\/features\/[a-z-]+\/(tools\/demo|tests\/samples)\.ts$|^tests\/(architecture\/product\/sample-messages\.test|support\/products\/fixed-product\.config)\.ts$/;

const samplePatterns: [what: string, pattern: RegExp, alsoIn?: RegExp][] = [
  ["its name", /\btern\b/i],
  ["its segment", /\bbackups?\b/i],
  ["a plan by its name", /\b(Personal|Studio)\b|"[^"]*\b(on|to) Free\b[ .:]/],
  ["a plan by its id", /["'`=:/ ](personal|studio)(["'`&_*]|$)/m],
  ["a limit or meter", /\b(storageBytes|fileBytes|largestFile)\b|\bof storage\b/],
  ...featureSamples.flatMap(({ sampleWords }): [string, RegExp][] => (sampleWords ? [sampleWords] : [])),
  // A passkey or a browser may well be on a person's laptop.
  [
    "what it is for",
    /\blaptops?\b/i,
    /^tests\/|^app\/features\/[a-z-]+\/tests\/|^packages\/stripe-emulator\/tests\/|^scripts\/mail-preview\/samples\.ts$|^app\/features\/[a-z-]+\/tools\/emails\.ts$/,
  ],
  ["what its locked plan means", /\brestore your files\b|\bno new backups are made\b/i],
  ["why its free plan isn't enough", /\bmore storage\b/i],
  ["a price of it", /€(6|60|15|150)\.00\b/, /^packages\/stripe-emulator\/tests\//],
  ["a download of it", /\/download\/(mac|windows|linux)\b/],
  ["its seller", /Hafenstraße|GmbH/],
];

function readText(path: string): { path: string; text: string } {
  const text = readFileSync(path, "utf8");
  return { path, text: /\.(tsx?|m[jt]s)$/.test(path) ? withoutComments(path, text) : text };
}

test.each(samplePatterns)("only the sample product contains %s", (_what, pattern, alsoIn) => {
  const knowing = texts.filter(({ path, text }) => !own.test(path) && !alsoIn?.test(path) && pattern.test(text));
  expect(knowing.map(({ path, text }) => `${path}: ${pattern.exec(text)?.[0]}`)).toEqual([]);
});

test("the search finds such words", () => {
  const sample = `Tern keeps a backup of your laptop. "personal": "You are on Free." €6.00, from a GmbH by /download/mac, storageBytes, retentionDays, to restore your files, with more storage`;
  expect(samplePatterns.filter(([, pattern]) => !pattern.test(sample)).map(([what]) => what)).toEqual([]);
});
