import { afterAll, beforeAll, expect, test } from "vitest";
import { booksOf, brokenInvariants } from "#tests/support/invariants.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { racesOfAccounts } from "../trials/races-of-accounts.ts";
import { racesOfTheProduct } from "../trials/races-of-the-product.ts";

/** A sample of `npm run trials`: one round of what forty do whose last bytes arrive in one tick. */
const sample = [
  "a code to sign up opens one account and one session",
  "forty machines get the seats that there are, and no other",
  "a wish for the waitlist is one entry and one mail, is confirmed once and given up once",
];
const races = [...racesOfAccounts, ...racesOfTheProduct].filter(({ name }) => sample.includes(name));

let site: Site;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

test("the sample is there", () => expect(races).toHaveLength(sample.length));

test.each(races)("forty at the same moment: $name", async ({ run }) => {
  await run(site, "sample");
  expect(await brokenInvariants(booksOf(site))).toEqual({});
});
