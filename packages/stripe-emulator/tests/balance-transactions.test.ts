import type Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { buy, refusal, setUpStripeEmulator } from "./driver.ts";
import { nowOf, SECONDS_PER_DAY } from "./plans-driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

const movementOf = (reference: string | Stripe.BalanceTransaction | null | undefined) =>
  stripe.balanceTransactions.retrieve(String(reference));

describe("a movement on the account's balance", () => {
  test("is a charge's amount less its fee, which is available some days later", async () => {
    const { charge } = await buy(local);
    expect(await movementOf(charge.balance_transaction)).toMatchObject({
      object: "balance_transaction",
      amount: 600,
      available_on: charge.created + 3 * SECONDS_PER_DAY,
      created: charge.created,
      currency: "eur",
      fee: 34,
      fee_details: [{ amount: 34, currency: "eur", type: "stripe_fee" }],
      net: 566,
      reporting_category: "charge",
      source: charge.id,
      status: "pending",
      type: "charge",
    });
    await local.control("clock", { advanceDays: 4 });
    expect(await stripe.charges.retrieve(charge.id, { expand: ["balance_transaction"] })).toMatchObject({
      balance_transaction: { id: charge.balance_transaction, status: "available" },
    });
  });

  test("is made by a bank debit when it succeeds, and by no payment that fails", async () => {
    const { charge } = await buy(local, "bank");
    expect(await movementOf(charge.balance_transaction)).toMatchObject({ amount: 600, fee: 35, type: "payment" });
    const declined = await buy(local, "4000000000000002");
    expect(declined.charge).toMatchObject({ status: "failed", balance_transaction: null });
  });

  test("is a refund's, from which no fee comes back, and its return if it fails", async () => {
    const { charge } = await buy(local, "4000000000005126");
    const refund = await stripe.refunds.create({ charge: charge.id, amount: 250 });
    expect(await movementOf(refund.balance_transaction)).toMatchObject({
      amount: -250,
      fee: 0,
      fee_details: [],
      net: -250,
      reporting_category: "refund",
      source: refund.id,
      status: "available",
      type: "refund",
    });
    await local.control("clock", { advanceDays: 6 });
    const failed = await stripe.refunds.retrieve(refund.id);
    expect(await movementOf(failed.failure_balance_transaction)).toMatchObject({
      amount: 250,
      net: 250,
      source: refund.id,
      type: "refund_failure",
    });
  });

  test("is a dispute's with its fee, which isn't returned if it is won", async () => {
    const { charge } = await buy(local);
    const { dispute: opened } = await local.control("dispute", { order: charge.id });
    const dispute = await stripe.disputes.retrieve(opened?.id ?? "");
    expect(dispute.balance_transactions).toHaveLength(1);
    expect(await movementOf(dispute.balance_transactions[0]?.id)).toMatchObject({
      amount: -600,
      fee: 2000,
      net: -2600,
      reporting_category: "dispute",
      source: dispute.id,
      type: "adjustment",
    });
    await local.control("dispute", { order: charge.id, outcome: "won" });
    const won = await stripe.disputes.retrieve(dispute.id);
    expect(won.balance_transactions.map(({ amount, net }) => [amount, net])).toEqual([
      [-600, -2600],
      [600, 600],
    ]);
    expect(await movementOf(won.balance_transactions[1]?.id)).toMatchObject({ reporting_category: "dispute_reversal" });
  });
});

test("movements are listed by type, source, currency and time, newest first, page by page", async () => {
  const start = await nowOf(local);
  await local.control("clock", { advanceDays: 1 });
  const { charge } = await buy(local);
  const refund = await stripe.refunds.create({ charge: charge.id });
  const sources = async (query: Stripe.BalanceTransactionListParams) =>
    (await stripe.balanceTransactions.list({ created: { gt: start }, ...query })).data.map(({ source }) => source);
  expect(await sources({})).toEqual([refund.id, charge.id]);
  expect(await sources({ type: "charge" })).toEqual([charge.id]);
  expect(await sources({ source: refund.id })).toEqual([refund.id]);
  expect(await sources({ currency: "usd" })).toEqual([]);
  expect(await sources({ limit: 1 })).toEqual([refund.id]);
  const [newest] = (await stripe.balanceTransactions.list({ limit: 1 })).data;
  expect((await sources({ starting_after: newest?.id ?? "" }))[0]).toBe(charge.id);
  const { data } = await stripe.balanceTransactions.list({ created: { lte: start } });
  expect(data.every(({ created }) => created <= start)).toBe(true);
  expect(await refusal(stripe.balanceTransactions.retrieve("txn_none"))).toMatchObject({ statusCode: 404 });
});
