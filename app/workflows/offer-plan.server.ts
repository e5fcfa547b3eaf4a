import type { AccountId } from "#app/core/id.ts";
import type { App } from "#app/app.ts";
import type { MoneyAmount } from "#app/core/money/money.ts";
import { type ChangeOffer, offerChange } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import { writeQuote } from "#app/modules/billing/checkout/quote.rules.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { priceAfterCredit } from "#app/modules/billing/checkout/commands/start-checkout.server.ts";
import { consumeProviderCall } from "#app/modules/billing/checkout/commands/consume-provider-call.server.ts";
import { chargedAt } from "#app/core/stripe/charge-time.ts";
import { endOfPeriod } from "#app/modules/billing/subscriptions/periods.rules.ts";
import { needsNewCheckout } from "#app/modules/billing/subscriptions/rules.ts";
import { checkChoice } from "#app/modules/catalogue/choice.rules.ts";
import { intervalsSold } from "#app/modules/catalogue/offers.rules.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { findPlan, intervalFor } from "#app/modules/catalogue/rules.ts";
import { shownPrice } from "#app/modules/catalogue/shown-prices.rules.ts";
import { comparePrices } from "#app/modules/billing/subscriptions/commands/compare-prices.server.ts";
import { quoteDiscount } from "#app/modules/referrals/discount.rules.ts";
import { findBuyer, type Buyer } from "./find-buyer.server.ts";

type Deps = Parameters<typeof reconcileCustomer>[0] & Pick<App, "gate">;

/** The result of choosing a plan: a first payment, or a change of the running plan. */
export type Offer =
  | {
      kind: "start";
      price: MoneyAmount;
      dueNow: ReturnType<typeof priceAfterCredit>;
      friend: FriendOffer | null;
      /** When the second period would begin. */
      nextAt: number;
      quote: string;
    }
  | ChangeOffer;

/** The refund of a first payment if the customer is new. With `isUnderReview`, the sign-up is reviewed first. */
type FriendOffer = { amountMinor: number; isUnderReview: boolean };

/** An account's state and the cost of a plan for it. Nothing is charged. */
export async function offerPlan(
  app: Deps,
  accountId: AccountId,
  known: Buyer,
  choice: { planId: string | null; interval: Interval | null },
): Promise<{ buyer: Buyer; interval: Interval; offer: Offer | null }> {
  const buyer = await refreshBuyer(app, accountId, known);
  const { running } = buyer;
  const interval = choice.interval ?? usualInterval(app.product, choice.planId, running);
  if (choice.planId === null) return { buyer, interval, offer: null };
  if (buyer.isWithdrawn) return { buyer, interval, offer: { kind: "refused", refusal: { reason: "plan-withdrawn" } } };
  const input = { planId: choice.planId, interval };
  if (await isUnsold(app, accountId, buyer, input))
    return { buyer, interval, offer: { kind: "refused", refusal: { reason: "price-differs" } } };
  const appWithGate = { ...app, gate: buyer.gate };
  const isEnd = findPlan(app.product, input.planId)?.prices === null;
  const offer =
    running && (isEnd || !needsNewCheckout(running))
      ? await offerChange(appWithGate, { ...buyer, accountId, running }, input)
      : await offerStart(appWithGate, accountId, buyer, input);
  return { buyer, interval, offer };
}

/** Stripe is asked again about a price that wasn't on sale: it may have been put right a moment ago. The running plan can stay. */
async function isUnsold(
  app: Deps,
  accountId: AccountId,
  { unsold, running }: Buyer,
  { planId, interval }: { planId: string; interval: Interval },
): Promise<boolean> {
  const price = shownPrice(app.product, planId, interval);
  const isOwn = running !== null && running.planId === planId && running.interval === interval;
  if (!unsold.has(price.key) || (isOwn && !needsNewCheckout(running))) return false;
  if (!(await consumeProviderCall(app, accountId, "quote")).ok) return true;
  const compared = await comparePrices(app, [price]);
  return !compared.ok || compared.value.has(price.key);
}

/** The running plan's interval, or else the first one sold; always one that the plan has. */
function usualInterval(product: App["product"], planId: string | null, running: Buyer["running"]): Interval {
  const usual = running?.interval ?? intervalsSold(product)[0] ?? "month";
  const plan = findPlan(product, planId);
  return plan ? intervalFor(plan, usual) : usual;
}

/** A confirmed change without an answer may have succeeded, which changes the offer. */
async function refreshBuyer(app: Deps, accountId: AccountId, buyer: Buyer): Promise<Buyer> {
  const isInDoubt = buyer.open?.kind === "change" && buyer.open.state === "draft";
  if (!isInDoubt || !(await consumeProviderCall(app, accountId, "payment-page")).ok) return buyer;
  await reconcileCustomer(app, accountId);
  return findBuyer(app, accountId);
}

function friendOffer(app: Deps, { friend }: Buyer, chargedMinor: number): FriendOffer | null {
  if (!friend) return null;
  const amountMinor = quoteDiscount(friend, chargedMinor, app.product.referral.friendDiscountMinor, app.clock());
  return amountMinor > 0 ? { amountMinor, isUnderReview: friend.state === "under-review" } : null;
}

async function offerStart(
  app: Deps,
  accountId: AccountId,
  buyer: Buyer,
  { planId, interval }: { planId: string; interval: Interval },
): Promise<Offer> {
  const chosen = checkChoice(app, { planId, interval });
  if (!chosen.ok && chosen.refusal.reason === "plan-is-free")
    return { kind: "refused", refusal: { reason: "same-plan" } };
  if (!chosen.ok) return { kind: "refused", refusal: chosen.refusal };
  if (!app.payments) return { kind: "refused", refusal: { reason: "not-on-sale" } };
  if (buyer.open?.state === "processing") {
    return { kind: "refused", refusal: { reason: "payment-in-process", orderId: buyer.open.id } };
  }
  const { unconfirmed } = buyer;
  if (unconfirmed) return { kind: "refused", refusal: { reason: "payment-unconfirmed", orderId: unconfirmed.id } };
  const { price } = chosen.value;
  const dueNow = priceAfterCredit(price, buyer);
  const quote = await writeQuote(app.pepper, accountId, { ...dueNow, quotedAt: app.clock(), prorationAt: null });
  const nextAt = chargedAt(endOfPeriod(app.clock(), interval));
  return { kind: "start", price, dueNow, friend: friendOffer(app, buyer, dueNow.amountMinor), nextAt, quote };
}
