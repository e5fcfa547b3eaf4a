import { beforeEach, describe, expect, test } from "vitest";
import { queryOf, brokenInvariants } from "#tests/support/database/invariants.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { rounds } from "./random.ts";
import { accountRaces } from "./account-races.ts";
import { paymentRaces } from "./payment-races.ts";
import { featureRaces } from "./features.ts";
import { productApiRaces } from "./product-api-races.ts";

const site = useSite();
beforeEach(async () => {
  // An hour's quota of a network belongs to the round before.
  await (await site.database()).exec("delete from quota_uses");
});

const eachRound = Array.from({ length: rounds }, (_, index) => index + 1);

describe.each([...accountRaces, ...paymentRaces, ...productApiRaces, ...featureRaces])(
  "forty at the same moment: $name",
  ({ run }) => {
    test.each(eachRound)("round %i", async (round) => {
      await run(site, `${round}`);
      expect(await brokenInvariants(queryOf(site))).toEqual({});
    });
  },
);
