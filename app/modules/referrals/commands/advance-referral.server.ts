import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { methodHashesOf } from "#app/modules/accounts/customer-hashes.rules.ts";
import { done, type Result } from "#app/core/result.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { findCustomer } from "#app/modules/billing/subscriptions/queries.server.ts";
import { checkCards } from "../eligibility.rules.ts";
import { listPeople } from "../attribution.queries.server.ts";
import { nextDiscountStep } from "../discount.rules.ts";
import { findDiscount, findFirstPayment } from "../discounts.queries.server.ts";
import { runDiscountStep } from "./run-discount-step.server.ts";
import { approveReward, type Deps, reverseReward } from "./approve-reward.server.ts";
import { holdOf, sumRetained, nextStep, type RewardStep } from "../reward.rules.ts";
import { changeToVoid, changeToWaiting, findReward, changeWaitsUntil, qualifyPaid } from "../rewards.queries.server.ts";
import { listPayments, type Terms } from "../retained-payments.queries.server.ts";
import { releaseReviewed } from "../reviews.queries.server.ts";

type Reward = Awaited<ReturnType<typeof findReward>>[number];

/** More than the steps from a sign-up to its reward. */
const stepsMax = 9;

/**
 * Advances the referral of a friend to what payments and time allow: after each sync, and from the cron job. It depends on the present
 * state only, so lost, repeated and late calls end the same; each step is a statement that names the states it may leave.
 */
export async function advanceReferral(app: Deps, friendId: AccountId): Promise<Result<null, ProviderFailure>> {
  const { db, product } = app;
  const { qualifyingAmountMinor: qualifyingMinor, friendDiscountMinor } = product.referral;
  const hold = holdOf(product);
  const terms = { qualifyingMinor, currency: product.currency };
  for (let steps = 0; steps < stepsMax; steps += 1) {
    const {
      reward: [reward],
      payments,
      discount: [discount = null],
      firstPayment: [first = null],
    } = await batchNamed(db, {
      reward: findReward(db, friendId),
      payments: listPayments(db, friendId, product.currency, hold),
      discount: findDiscount(db, friendId),
      firstPayment: findFirstPayment(db, friendId, product.currency),
    });
    if (!reward) return done(null);
    // The discount on the first payment is settled before any reward for the rest.
    const before = nextDiscountStep({ referral: reward, discount, first }, friendDiscountMinor);
    const isUnderReview = discount?.state === "under-review";
    const retained = sumRetained(payments, qualifyingMinor);
    const step = before ? null : nextStep({ ...reward, isUnderReview }, retained, hold.days, app.clock());
    const friend = first && { referralId: reward.id, referrerId: reward.referrerId, friendId, first };
    const taken =
      before && friend ? await runDiscountStep(app, friend, before) : step && (await runStep(app, reward, step, terms));
    if (!taken) return done(null);
    if (!taken.ok) return taken;
    // Another run made the step, or it isn't possible now: that run or the cron job continues.
    if (!taken.value) return done(null);
  }
  return done(null);
}

/** Returns true if the step was made, and another may follow. */
async function runStep(
  app: Deps,
  reward: Reward,
  step: RewardStep,
  terms: Terms,
): Promise<Result<boolean, ProviderFailure>> {
  const { db } = app;
  const now = app.clock();
  switch (step.kind) {
    case "release":
      return done((await releaseReviewed(db, reward.id, now)).meta.changes === 1);
    case "rest":
      // The cron job checked it, and there is nothing to do.
      return done((await changeWaitsUntil(db, { id: reward.id, state: "signed-up" }, null)).meta.changes === 0);
    case "qualify":
      return done((await qualifyPaid(db, reward.friendId, terms)).meta.changes === 1);
    case "check-cards":
      return checkPayer(app, reward, step.waitsUntil);
    case "postpone":
      // The payment that reached the threshold was returned, and a later one has reached it since.
      return done(
        (await changeWaitsUntil(db, { id: reward.id, state: "waiting" }, step.waitsUntil)).meta.changes === 1,
      );
    case "approve":
      return done(await approveReward(app, reward, terms));
    case "void":
      return done(await reverseReward(app, reward, step.why, terms));
  }
}

/** Are friend and referrer different people? Compares their cards, which only Stripe knows. */
async function checkPayer(app: Deps, reward: Reward, waitsUntil: number): Promise<Result<boolean, ProviderFailure>> {
  const { db } = app;
  const [people, friend] = [await listPeople(db, reward.referrerId), await cardsOf(app, reward.friendId)];
  if (!friend.ok) return friend;
  const others: { isReferrer: boolean; cards: string[] }[] = [];
  for (const { id } of people) {
    const cards = id === reward.friendId ? friend : await cardsOf(app, id);
    if (!cards.ok) return cards;
    others.push({ isReferrer: id === reward.referrerId, cards: cards.value });
  }
  const why = checkCards({
    friend: friend.value,
    referrer: others.filter(({ isReferrer }) => isReferrer).flatMap(({ cards }) => cards),
    earlierReferrers: others.filter(({ isReferrer }) => !isReferrer).flatMap(({ cards }) => cards),
  });
  const now = app.clock();
  if (why) return done((await changeToVoid(db, reward.id, ["qualified"], why, now)).meta.changes === 1);
  const checked = { id: reward.id, referrerId: reward.referrerId, cards: friend.value };
  const { same, waits } = await batchNamed(db, changeToWaiting(db, checked, waitsUntil, now));
  return done(same.meta.changes + waits.meta.changes === 1);
}

/** The cards by which an account has paid, as keyed hashes, which allow comparison only. */
export async function cardsOf(app: Deps, accountId: AccountId): Promise<Result<string[], ProviderFailure>> {
  const [customer] = await findCustomer(app.db, accountId);
  if (!customer || !app.payments) return done([]);
  const paid = await app.payments.listPaidMethods(customer.providerId);
  if (!paid.ok) return paid.refusal.reason === "provider-refused" ? done([]) : paid;
  return done((await methodHashesOf(app.pepper, paid.value)).map(({ hash }) => hash));
}
