import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { booksOf, brokenInvariants } from "#tests/support/database/invariants.ts";
import { type Site, startSite } from "#tests/support/site/site.ts";
import { rounds } from "./chance.ts";
import { racesOfAccounts } from "./races-of-accounts.ts";
import { racesOfMoney } from "./races-of-money.ts";
import { racesOfTheProduct } from "./races-of-the-product.ts";

let site: Site;

beforeAll(async () => {
  site = await startSite();
});
beforeEach(async () => {
  // An hour's quota of a network belongs to the round before.
  await (await site.database()).exec("delete from budget_uses");
});
afterAll(() => site.close());

const eachRound = Array.from({ length: rounds }, (_, index) => index + 1);

describe.each([...racesOfAccounts, ...racesOfMoney, ...racesOfTheProduct])(
  "forty at the same moment: $name",
  ({ run }) => {
    test.each(eachRound)("round %i", async (round) => {
      await run(site, `${round}`);
      expect(await brokenInvariants(booksOf(site))).toEqual({});
    });
  },
);
