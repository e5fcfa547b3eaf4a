import type Stripe from "stripe";
import { expect, test } from "vitest";
import { buy, refusal, setUpStripeEmulator } from "./driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

const SECONDS_PER_DAY = 86_400;

/** The events about a charge's disputes, oldest first: type and the status that the event carried. */
const statusesOf = async (id: string): Promise<string[]> =>
  (await stripe.events.list({ type: "charge.dispute.*", limit: 100 })).data
    .map(({ type, data }) => ({ type, dispute: data.object as Stripe.Dispute }))
    .filter(({ dispute }) => dispute.id === id)
    .map(({ type, dispute }) => `${type.slice("charge.dispute.".length)} ${dispute.status}`)
    .toReversed();

async function open(card?: string) {
  const bought = await buy(local, card);
  const { dispute } = await local.control("dispute", { order: bought.charge.id });
  return { ...bought, dispute: await stripe.disputes.retrieve(dispute?.id ?? "") };
}

test("an open dispute deducts the money, allows a week to answer, and is on its charge", async () => {
  const { charge, dispute } = await open();
  expect(dispute).toMatchObject({
    object: "dispute",
    amount: 600,
    currency: "eur",
    charge: charge.id,
    payment_intent: charge.payment_intent,
    reason: "fraudulent",
    status: "needs_response",
    is_charge_refundable: false,
    balance_transactions: [{ amount: -600, type: "adjustment", source: dispute.id }],
    evidence: { uncategorized_text: null },
    evidence_details: { has_evidence: false, past_due: false, submission_count: 0 },
    payment_method_details: { type: "card", card: { brand: "visa" } },
  });
  expect(dispute.evidence_details.due_by).toBe(dispute.created + 7 * SECONDS_PER_DAY);
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ disputed: true, refunded: false });
  expect(await statusesOf(dispute.id)).toEqual(["created needs_response", "funds_withdrawn needs_response"]);
  for (const query of [{ charge: charge.id }, { payment_intent: String(charge.payment_intent) }])
    expect((await stripe.disputes.list(query)).data.map(({ id }) => id)).toEqual([dispute.id]);
  expect(await refusal(stripe.refunds.create({ charge: charge.id }))).toMatchObject({ code: "charge_disputed" });
  await expect(local.control("dispute", { order: charge.id })).rejects.toThrow("disputed already");
});

test.each([
  ["winning_evidence", "won", ["closed won", "funds_reinstated won"], true],
  ["losing_evidence", "lost", ["closed lost"], false],
] as const)("evidence that says %s decides it: %s", async (text, status, events, isRefundable) => {
  const { charge, dispute } = await open();
  const closed = await stripe.disputes.update(dispute.id, { evidence: { uncategorized_text: text } });
  expect(closed).toMatchObject({ status, is_charge_refundable: isRefundable });
  expect(closed.balance_transactions.map(({ amount }) => amount)).toEqual(isRefundable ? [-600, 600] : [-600]);
  expect((await statusesOf(dispute.id)).slice(2)).toEqual(["updated under_review", ...events]);
  const call = stripe.refunds.create({ charge: charge.id });
  if (isRefundable) expect(await call).toMatchObject({ amount: 600 });
  else expect(await refusal(call)).toMatchObject({ code: "charge_disputed" });
});

test("other evidence is staged, then under review, and the dispute is lost when the bank's time has passed", async () => {
  const { dispute } = await open();
  const staged = await stripe.disputes.update(dispute.id, {
    submit: false,
    evidence: { product_description: "Service" },
    metadata: { order: "ord_1" },
  });
  expect(staged).toMatchObject({
    status: "needs_response",
    metadata: { order: "ord_1" },
    evidence: { product_description: "Service" },
  });
  const submitted = await stripe.disputes.update(dispute.id, { evidence: { uncategorized_text: "They used it." } });
  expect(submitted).toMatchObject({
    status: "under_review",
    evidence: { product_description: "Service", uncategorized_text: "They used it." },
    evidence_details: { has_evidence: true, submission_count: 1 },
  });
  await local.control("clock", { advanceDays: 30 });
  expect(await stripe.disputes.retrieve(dispute.id)).toMatchObject({ status: "under_review" });
  await local.control("clock", { advanceDays: 60 });
  expect(await stripe.disputes.retrieve(dispute.id)).toMatchObject({ status: "lost" });
});

test("a dispute without an answer in time is lost, and marked past due", async () => {
  const { dispute } = await open();
  await local.control("clock", { advanceDays: 8 });
  expect(await stripe.disputes.retrieve(dispute.id)).toMatchObject({
    status: "lost",
    evidence_details: { past_due: true, has_evidence: false },
  });
});

test("a dispute can be accepted by closing it, once", async () => {
  const { dispute } = await open();
  expect(await stripe.disputes.close(dispute.id)).toMatchObject({ status: "lost" });
  expect(await refusal(stripe.disputes.close(dispute.id))).toMatchObject({ statusCode: 400 });
  expect(await refusal(stripe.disputes.update(dispute.id, { evidence: { uncategorized_text: "x" } }))).toMatchObject({
    statusCode: 400,
  });
});

test("a dispute of a bank debit is lost immediately", async () => {
  const { charge } = await buy(local, "bank");
  await expect(local.control("dispute", { order: charge.id, outcome: "won" })).rejects.toThrow("already closed");
  const { dispute } = await local.control("dispute", { order: charge.id });
  expect(dispute).toMatchObject({ status: "lost" });
  expect(await statusesOf(dispute?.id ?? "")).toEqual([
    "created needs_response",
    "funds_withdrawn needs_response",
    "closed lost",
  ]);
});

test("a dispute of a partly refunded payment is about the rest, and is impossible after a full refund", async () => {
  const { charge } = await buy(local);
  await stripe.refunds.create({ charge: charge.id, amount: 200 });
  expect(await local.control("dispute", { order: charge.id, outcome: "lost" })).toMatchObject({
    dispute: { amount: 400, status: "lost" },
  });
  const other = await buy(local);
  await stripe.refunds.create({ charge: other.charge.id });
  await expect(local.control("dispute", { order: other.charge.id })).rejects.toThrow("has been refunded");
});
