import { afterAll, expect, test } from "vitest";
import { queryOf, brokenInvariants } from "#tests/support/database/invariants.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { rounds, seed } from "./random.ts";
import { Fuzzer } from "./fuzzer.ts";
import { properties } from "./properties.ts";

const site = useSite({ vars: { SENTRY_DSN: "http://key@127.0.0.1:9/1" } });
const fuzzer = new Fuzzer(site);
afterAll(() => console.warn(`${fuzzer.sent} requests: ${JSON.stringify(fuzzer.statuses)}`));

const runsEach = 200;

test.each(Object.entries(properties))(
  "%s never causes a 5xx answer, and the next request is answered",
  async (_, property) => {
    await property(fuzzer, { seed, numRuns: rounds * runsEach });
  },
);

test("no stored row violates a schema, and no unexpected error was reported during the requests or by the cron job afterwards", async () => {
  await site.runCron();
  expect(await brokenInvariants(queryOf(site))).toEqual({});
  const bugs = site.logs().flatMap((line) => /\bbug \w+ at .{0,300}/.exec(JSON.stringify(line))?.[0] ?? []);
  expect(bugs).toEqual([]);
});
