import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { sweepReferrals } from "#app/modules/referrals/commands/sweep-referrals.server.ts";
import { product } from "#app/product/config.ts";
import { openBillingHarness } from "#tests/support/billing/billing-harness.ts";
import { referralTerms } from "#tests/support/site/worker-app.ts";

const nothingOffered: ProductConfig["referral"] = {
  ...referralTerms,
  state: "off",
  friendDiscountMinor: 0,
  referrerCreditMinor: 0,
};
const hashes = () => env.DB.prepare("select kind from customer_hashes order by kind").all<{ kind: string }>();
const kinds = async () => (await hashes()).results.map(({ kind }) => kind);

test("no mailbox and no payment method is hashed while nothing is offered to new customers or promised to earlier ones", async () => {
  const harness = await openBillingHarness({ ...product, referral: nothingOffered });
  await harness.buy();
  await harness.reconcile();
  await sweepReferrals(harness.app);
  expect(await kinds()).toEqual([]);
});

test("hashes of before are removed then, and made again once there is an offer again", async () => {
  const harness = await openBillingHarness();
  await env.DB.prepare("update accounts set mailbox_hashed_at = 1 where id <> ?").bind(harness.accountId).run();
  await harness.buy();
  await harness.reconcile();
  await sweepReferrals(harness.app);
  expect(await kinds()).toEqual(["mailbox", "payment-method"]);
  const off = { ...harness.app, product: { ...harness.app.product, referral: nothingOffered } };
  await sweepReferrals(off);
  expect(await kinds()).toEqual([]);
  // What was promised before is still compared.
  await sweepReferrals({
    ...off,
    product: { ...off.product, referral: { ...nothingOffered, friendDiscountMinor: 500 } },
  });
  expect(await kinds()).toEqual(["mailbox", "payment-method"]);
});
