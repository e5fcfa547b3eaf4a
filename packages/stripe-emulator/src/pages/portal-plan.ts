import type Stripe from "stripe";
import {
  cancelPlan,
  changePlan,
  keepPlan,
  type PlanChoice,
  previewChange,
  takeOffer,
} from "../actions/subscriptions/change-plan-in-portal.ts";
import { ENDED } from "../actions/subscriptions/cancel-now.ts";
import type { Transaction } from "../transaction.ts";
import { productName } from "../objects/catalogue/products.ts";
import { demand, idOf } from "../objects/demand.ts";
import { allowedPrices } from "../objects/portal/portal-flow.ts";
import { featuresOf, permissionsOf } from "../objects/portal/portal-permissions.ts";
import { periodOf } from "../objects/subscriptions/subscription-shape.ts";
import { invalid, missingObject } from "../http/stripe-errors.ts";
import { cancelPage, choosePage, confirmPlanPage, type Offer } from "./portal-plan-page.ts";

type Session = Stripe.BillingPortal.Session;

/** What a customer does with a plan, and what the page then says. */
export const PLAN_INTENTS = ["cancel-plan", "change-plan", "keep-plan", "take-offer"];

/** The page of a plan: the one that a flow leads to, or the step that is named in the address. Null for the portal's home page. */
export function planPageFor(tx: Transaction, session: Session, step: string | undefined, query: URLSearchParams) {
  const subscription = query.get("subscription") ?? planOf(session.flow);
  if (subscription === null) return null;
  const { hasCancel, hasUpdate } = permissionsOf(tx, session);
  const named = step ?? STEPS[session.flow?.type ?? ""];
  if (named === "cancel-plan" ? !hasCancel : !hasUpdate)
    throw invalid("The portal of this account doesn't offer that.");
  switch (named) {
    case "cancel-plan":
      return () => cancelPage(cancelViewOf(tx, session, ownPlan(tx, session, subscription)));
    case "change-plan":
      return () => choosePage(chooseViewOf(tx, session, ownPlan(tx, session, subscription)));
    case "confirm-plan": {
      const choice = choiceOf(tx, session, subscription, (name) => query.get(name));
      const preview = previewChange(tx, choice, featuresOf(tx, session));
      const view = {
        session,
        choice,
        plan: offerOf(tx, demand(tx, "price", choice.price)),
        preview,
        isDueNow: preview.created <= tx.clock.now(),
        isDeclined: query.get("done") === "declined",
      };
      return () => confirmPlanPage(view);
    }
    default:
      return null;
  }
}

const STEPS: Record<string, string> = {
  subscription_cancel: "cancel-plan",
  subscription_update: "change-plan",
  subscription_update_confirm: "confirm-plan",
};

const planOf = (flow: Stripe.BillingPortal.Session.Flow | null): string | null =>
  (flow?.subscription_cancel ?? flow?.subscription_update ?? flow?.subscription_update_confirm)?.subscription ?? null;

/** Does what the customer chose. Returns what is done, or the address of the page that says why it isn't. */
export function carryOutForPlan(
  tx: Transaction,
  session: Session,
  fields: FormData,
): { done: string } | { back: string } {
  const named = (name: string): string => String(fields.get(name) ?? "");
  const { id } = ownPlan(tx, session, named("subscription"));
  const features = featuresOf(tx, session);
  switch (named("intent")) {
    case "cancel-plan":
      cancelPlan(tx, id, named("feedback"), features);
      return { done: "cancelled" };
    case "take-offer": {
      const coupon = session.flow?.subscription_cancel?.retention?.coupon_offer?.coupon;
      if (coupon === undefined) throw invalid("This portal makes no offer.");
      takeOffer(tx, id, coupon);
      return { done: "kept" };
    }
    case "keep-plan":
      keepPlan(tx, id);
      return { done: "kept" };
    default: {
      const choice = choiceOf(tx, session, id, (name) => (fields.get(name) === null ? null : named(name)));
      if (changePlan(tx, choice, features) === "changed") return { done: "changed" };
      const query = new URLSearchParams({ subscription: id, price: choice.price, done: "declined" });
      return { back: `/portal/${session.id}/confirm-plan?${query.toString()}` };
    }
  }
}

/** The change that a flow names, or the one chosen here, as far as the configuration allows it. */
function choiceOf(
  tx: Transaction,
  session: Session,
  subscription: string,
  given: (name: string) => string | null,
): PlanChoice {
  const confirmed = session.flow?.subscription_update_confirm ?? null;
  const [own] = ownPlan(tx, session, subscription).items.data;
  if (own === undefined) throw missingObject("subscription", subscription);
  const [named] = confirmed?.items ?? [];
  if (confirmed !== null && named !== undefined)
    return {
      subscription,
      item: own.id,
      price: named.price ?? own.price.id,
      quantity: named.quantity,
      discounts: confirmed.discounts ?? [],
    };
  const price = given("price") ?? "";
  if (!allowedPrices(featuresOf(tx, session).subscription_update).includes(price))
    throw invalid("The portal of this account doesn't offer that.");
  return { subscription, item: own.id, price, quantity: undefined, discounts: [] };
}

function cancelViewOf(tx: Transaction, session: Session, subscription: Stripe.Subscription) {
  const { mode, cancellation_reason: reason } = featuresOf(tx, session).subscription_cancel;
  const coupon = session.flow?.subscription_cancel?.retention?.coupon_offer?.coupon ?? null;
  return {
    session,
    subscription,
    plan: planOffer(tx, subscription),
    endsAt: mode === "at_period_end" ? periodOf(subscription).end : null,
    reasons: reason.enabled ? reason.options : [],
    offer: coupon === null ? null : demand(tx, "coupon", coupon),
  };
}

function chooseViewOf(tx: Transaction, session: Session, subscription: Stripe.Subscription) {
  const plan = planOffer(tx, subscription);
  const offers = allowedPrices(featuresOf(tx, session).subscription_update)
    .filter((price) => price !== plan.price.id)
    .map((price) => offerOf(tx, demand(tx, "price", price)));
  return { session, subscription, plan, offers };
}

const offerOf = (tx: Transaction, price: Stripe.Price): Offer => ({ price, name: productName(tx, price) });

function planOffer(tx: Transaction, { id, items }: Stripe.Subscription): Offer {
  const [item] = items.data;
  if (item === undefined) throw missingObject("subscription", id);
  return offerOf(tx, item.price);
}

/** A running subscription of this customer; a flow is for its own alone. */
function ownPlan(tx: Transaction, session: Session, id: string): Stripe.Subscription {
  const subscription = tx.store.find("subscription", id);
  const isOwn = subscription !== null && idOf(subscription.customer) === session.customer;
  const isOfFlow = planOf(session.flow) === null || planOf(session.flow) === id;
  if (isOwn && isOfFlow && !ENDED.includes(subscription.status)) return subscription;
  throw missingObject("subscription", id);
}
