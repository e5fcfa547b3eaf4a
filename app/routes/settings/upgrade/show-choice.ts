import { gatePages } from "#app/features.ts";
import type { App } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { pickPlan, pickSubscription } from "../pick-rows.ts";
import { formatDay, type Reader, readerOf } from "#app/core/time/time.ts";
import { sayExcess } from "../say-excess.ts";
import { findExcess } from "#app/modules/billing/usage/reads/find-excess.server.ts";
import { changesIntervalAlone, checkChange, pointsLost } from "#app/modules/billing/subscriptions/change.rules.ts";
import { needsNewCheckout, nextCharge, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { namedPlan } from "#app/modules/catalogue/plan-names.messages.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { dataSentence } from "#app/modules/catalogue/data-sentence.rules.ts";
import { isExempt } from "#app/modules/catalogue/tax.rules.ts";
import {
  findPlan,
  priceMinorOf,
  priceOf,
  type Plan,
  type ProductConfig,
  rankOf,
} from "#app/modules/catalogue/rules.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { intervalsSold, monthsLess, offersOf } from "#app/modules/catalogue/offers.rules.ts";
import type { Buyer } from "#app/workflows/find-buyer.server.ts";
import { offerPlan } from "#app/workflows/offer-plan.server.ts";
import { sayOpen } from "./say-open.ts";
import { sayInstead } from "./say-instead.ts";
import { sayOfferRefusal } from "./say-refusal.ts";
import { formatPrice } from "#app/core/money/money.ts";
import { quoteDiscount } from "#app/modules/referrals/discount.rules.ts";
import { openChoiceMessages } from "./messages.ts";

/** The plans to choose from or the review of a choice, and why it can't be had. */
export async function showChoice(
  app: App,
  account: Account,
  known: Buyer,
  choice: { planId: string | null; interval: Interval | null },
) {
  const { product, gate } = app;
  const { buyer, interval, offer } = await offerPlan(app, account.id, known, choice);
  const { running, unconfirmed } = buyer;
  const open = unconfirmed ?? buyer.open;
  const chosen = findPlan(product, choice.planId);
  const isOffered = chosen && running && offer && offer.kind !== "refused";
  const excess = isOffered ? await findExcess(app, account.id, chosen) : [];
  const current = namedPlan(product, running?.planId);
  const blocked =
    running && !unconfirmed && !buyer.isWithdrawn && !needsNewCheckout(running)
      ? checkChange(running, "now", app.clock())
      : null;
  const currency = running?.currency ?? product.currency;
  return {
    reader: readerOf(account),
    interval,
    hasChoice: intervalsSold(product).length > 1,
    currency,
    monthsLess: monthsLess(product),
    offers: offersOf(product, buyer.gate, interval, { isOpen: app.payments !== null, unsold: buyer.unsold }),
    isFull: gate.kind !== "none" && gatePages().isFull(product),
    isWaiting: buyer.isWaiting,
    // Invited customers are shown that the plan is by invitation.
    invitedTo: gate.kind === "plan" && buyer.gate.kind === "none" ? gate.planId : null,
    offer: offer?.kind === "refused" ? { ...offer, refusal: sayOfferRefusal(offer.refusal) } : offer,
    instead: sayInstead(offer, account),
    chosen,
    dataWhenSmaller: dataSentence(product, planStartsAt(offer, app.clock()), account),
    excess: excess.map((each) => sayExcess(chosen?.name ?? "", each, account.locale)),
    chosenPrice: chosen && priceOf({ ...product, currency }, chosen, interval),
    running: running && pickSubscription(running),
    current: current && pickPlan(current),
    ...rankFacts(product, current, chosen),
    /** The billing interval that a scheduled change of it alone would end. Null if another plan, or nothing, is scheduled. */
    intervalToKeep: running && changesIntervalAlone(running) ? running.interval : null,
    /** The renewal that is about to be charged, whatever is chosen now. */
    coming: running?.comingAt ? comingCharge(app, account, { running, creditMinor: buyer.creditMinor }) : null,
    pending: running?.pendingPlanId ? pickPlan(namedPlan(product, running.pendingPlanId)) : null,
    open:
      open && (open.state !== "draft" || open.isUnconfirmed)
        ? sayOpen(product, open, { planId: choice.planId, interval })
        : null,
    /** The refund that a friend's invitation brings. Null if there is none, or if nothing can be bought. */
    friendText: chosen || running ? null : sayFriend(product, buyer, account.locale, app.clock()),
    isPaused: running !== null && needsNewCheckout(running),
    hasTax: !isExempt(product.tax),
    isWithdrawn: buyer.isWithdrawn,
    blocked: blocked && sayOfferRefusal(blocked),
    isDueShown: blocked?.reason === "payment-due",
    planPath: segmentPath(product, "plan"),
    withdrawalDays: product.withdrawalDays === "off" ? null : product.withdrawalDays,
  };
}

/** The renewal that is about to be charged, and whether that is today. */
function comingCharge(
  { product, clock }: Pick<App, "product" | "clock">,
  reader: Reader,
  { running, creditMinor }: { running: Subscription; creditMinor: number },
) {
  const coming = nextCharge(running, priceMinorOf.bind(null, product), creditMinor);
  return coming && { ...coming, isToday: formatDay(coming.at, reader) === formatDay(clock(), reader) };
}

type Offer = Awaited<ReturnType<typeof offerPlan>>["offer"];

/** At the end of the period if it was chosen for then, otherwise now: what is charged at once also begins at once. */
function planStartsAt(offer: Offer, now: number): number {
  if (offer?.kind === "later") return offer.beginsAt;
  return (offer?.kind === "end" && offer.endsAt) || now;
}

/** Compares plans by their position in the catalogue, where a retired plan keeps its own. */
function rankFacts(product: ProductConfig, current: Plan | null, chosen: Plan | null) {
  const rank = current ? rankOf(product, current.id) : -1;
  return {
    /** A change to one of these plans is the page's primary action. */
    upward: product.plans.slice(Math.max(rank, 0)).map(({ id }) => id),
    // A larger plan lists the same points with larger numbers, so nothing is lost.
    lost: chosen && current && rankOf(product, chosen.id) < rank ? pointsLost(current, chosen) : [],
  };
}

/** What a friend's invitation brings, shown above the plans. A plan's review says how much it brings there. Null if it brings nothing. */
function sayFriend({ referral, currency }: ProductConfig, { friend }: Buyer, locale: string, now: number) {
  const promised = referral.friendDiscountMinor;
  const amountMinor = friend === null ? 0 : quoteDiscount(friend, promised, promised, now);
  return amountMinor > 0 ? openChoiceMessages.en.friend(formatPrice({ amountMinor, currency }, locale)) : null;
}
