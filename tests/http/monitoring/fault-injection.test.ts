import { expect, test } from "vitest";
import { queryOf, brokenInvariants } from "#tests/support/database/invariants.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { Fuzzer } from "#tests/faults/fuzzer.ts";
import { properties } from "#tests/faults/properties.ts";
import { accountRaces } from "#tests/faults/account-races.ts";
import { productApiRaces } from "#tests/faults/product-api-races.ts";

/**
 * A sample of `npm run faults`, with the same random seed each time: a round of forty requests whose last bytes
 * arrive in one tick.
 */
const sample = [
  "a code to sign up opens one account and one session",
  "forty machines get the available seats, and no more",
];
const races = [...accountRaces, ...productApiRaces].filter(({ name }) => sample.includes(name));

const site = useSite();

test("a sample of the fault-injection tests exists", () => expect(races).toHaveLength(sample.length));

test.each(races)("forty requests at the same moment: $name", ({ run }) => run(site, "sample"));

test("no input to a form, a call or the webhook causes an unexpected error", async () => {
  const fuzzer = new Fuzzer(site);
  for (const tried of Object.values(properties)) await tried(fuzzer, { seed: 1, numRuns: 10 });
  expect(await brokenInvariants(queryOf(site))).toEqual({});
});
