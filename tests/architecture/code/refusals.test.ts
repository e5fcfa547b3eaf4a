import { featureSamples } from "#tests/support/features.ts";
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { callsOf } from "#app/api/calls.ts";
import { operatorCalls } from "#app/api/operator-calls.ts";
import { operatorProblems } from "#app/api/operator-problems.ts";
import { problemsOf } from "#app/api/problem-schemas.ts";
import { bodyProblems, problems } from "#app/api/problems.ts";
import { product } from "#app/product/config.ts";
import { sourceFiles, withoutComments } from "./imports.ts";

// The Stripe emulator refuses in Stripe's words.
const ours = sourceFiles().filter((path) => !path.startsWith("packages/stripe-emulator/"));
const read = (path: string) => withoutComments(path, readFileSync(path, "utf8"));
const sources = ours.map((path) => [path, read(path)] as const);
const unique = (list: readonly string[]) => [...new Set(list)].toSorted();

/** Every reason that the code gives: the words after `reason:`, a choice between two among them. */
const reasons = unique(
  sources.flatMap(([, text]) =>
    [...text.matchAll(/\breason: ([^;,}\n]*)/g)].flatMap(([, value = ""]) =>
      [...value.matchAll(/(?<!\[)"([a-z]+(?:-[a-z]+)*)"/g)].map(([, reason = ""]) => reason),
    ),
  ),
);

/** The statuses that pages and calls answer a reason with. */
const statuses = new Map<string, Set<number>>();
const answers = [
  /^ +"?([a-z]+(?:-[a-z]+)+)"?: (\d{3}),$/gm,
  /\breason: "([a-z-]+)"(?: as const)?[;,]\s+status: (\d{3})/g,
  /\bcase "([a-z-]+)":\s+return data\([^;]*?status: (\d{3})/g,
  /"([a-z-]+)": \{ status: (\d{3}), title: /g,
  /\breason(?:: | === )"([a-z-]+)"(?: as const \},|\) return data\(refusal,) \{ status: (\d{3})/g,
];
for (const [path, text] of sources) {
  if (!/^app\/(api|features|http|routes)\//.test(path)) continue;
  for (const [, reason = "", status] of answers.flatMap((pattern) => [...text.matchAll(pattern)])) {
    if (reasons.includes(reason)) statuses.set(reason, (statuses.get(reason) ?? new Set()).add(Number(status)));
  }
}

/** Messages by reason, of every page. */
const messages = globSync("app/{api,client,http,routes,features}/**/{*.,}messages.ts").map(read);

describe("refusals", () => {
  test("have a message where a user or an operator meets them", () => {
    expect(reasons.length).toBeGreaterThan(100);
    const silent = reasons.filter((reason) => {
      const key = new RegExp(`^\\s*"?${reason}"?[:(]`, "m");
      return !(reason in operatorProblems) && !messages.some((text) => key.test(text));
    });
    const ofFeatures = featureSamples.flatMap(({ silentRefusals = [] }) => silentRefusals);
    expect(silent.filter((reason) => !ofFeatures.includes(reason))).toEqual([
      // The outbox tries again.
      "email-down",
      // The form shows each field's problem.
      "invalid-fields",
      // Products read the API's title.
      "licence-key-refused",
      // A sync without a customer does nothing.
      "no-customer",
      // Products read the API's title.
      "report-from-future",
      // Services that report to a webhook read no message.
      "report-unsigned",
      "signature-invalid",
    ]);
  });

  test("are answered with one status each, which says that the request was refused", () => {
    expect(statuses.size).toBeGreaterThan(70);
    const isRefusal = (status: number) => (status >= 400 && status < 500) || status === 503;
    expect([...statuses].filter(([, of]) => [...of].every((status) => !isRefusal(status)))).toEqual([]);
    const several = [...statuses].filter(([, of]) => of.size > 1);
    expect(Object.fromEntries(several.map(([reason, of]) => [reason, [...of].toSorted()]))).toEqual({});
  });
});

describe("problems of the APIs", () => {
  test("are those that calls of the product API can return", () => {
    const calls = callsOf({
      ...product,
      ...Object.assign({}, ...featureSamples.map(({ settings }) => settings)),
      meters: [{ key: "meter", label: "", kind: "last", unit: "count", limit: "devices" }],
    });
    const met = calls.flatMap((call) => problemsOf(call));
    // Those of writes under If-Match are offered to features. One isn't specific to a call.
    const offered = ["if-match-missing", "changed-elsewhere"];
    expect(unique([...met, ...offered, ...bodyProblems, "no-such-call"])).toEqual(unique(Object.keys(problems)));
  });

  test("are those that operators' calls can return", () => {
    expect(unique(operatorCalls.flatMap((call) => call.problems))).toEqual(unique(Object.keys(operatorProblems)));
  });
});
