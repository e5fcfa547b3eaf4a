import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { readForm } from "../../http/form.ts";
import { parseFormParams } from "../../http/form-params.ts";
import { StripeRefusal } from "../../http/stripe-errors.ts";
import { demand } from "../../objects/demand.ts";
import { readPreviewForm } from "../../objects/invoices/preview-form.ts";
import { readSubscriptionChange } from "../../objects/subscriptions/subscription-forms.ts";
import { previewInvoice } from "../payments/preview-invoice.ts";
import { cancelNow } from "./cancel-now.ts";
import { changeSubscription } from "./change-subscription.ts";

type Features = Stripe.BillingPortal.Configuration["features"];

/** What a customer has chosen in the portal, which carries it out by the API's own parameters. */
export interface PlanChoice {
  subscription: string;
  item: string;
  price: string;
  quantity: number | undefined;
  discounts: Stripe.BillingPortal.Session.Flow.SubscriptionUpdateConfirm.Discount[];
}

/** What the change costs, and what the next period does. */
export function previewChange(tx: Transaction, choice: PlanChoice, { subscription_update }: Features): Stripe.Invoice {
  const params = new URLSearchParams({
    subscription: choice.subscription,
    ...itemParams("subscription_details[items]", choice),
    "subscription_details[proration_behavior]": subscription_update.proration_behavior,
  });
  return previewInvoice(tx, readForm(parseFormParams(params.toString()), readPreviewForm));
}

/** A card that is declined changes nothing. */
export function changePlan(
  tx: Transaction,
  choice: PlanChoice,
  { subscription_update }: Features,
): "changed" | "declined" {
  const discounts = choice.discounts.flatMap(({ coupon, promotion_code }, index): [string, string][] => [
    promotion_code === null
      ? [`discounts[${index}][coupon]`, coupon ?? ""]
      : [`discounts[${index}][promotion_code]`, promotion_code],
  ]);
  const params = new URLSearchParams([
    ...Object.entries(itemParams("items", choice)),
    ...discounts,
    ["proration_behavior", subscription_update.proration_behavior],
    ["payment_behavior", "error_if_incomplete"],
  ]);
  try {
    changeSubscription(tx, readForm(parseFormParams(params.toString()), readSubscriptionChange), choice.subscription);
    return "changed";
  } catch (error) {
    if (error instanceof StripeRefusal && error.status === 402) return "declined";
    throw error;
  }
}

const itemParams = (path: string, { item, price, quantity }: PlanChoice): Record<string, string> => ({
  [`${path}[0][id]`]: item,
  [`${path}[0][price]`]: price,
  ...(quantity !== undefined && { [`${path}[0][quantity]`]: String(quantity) }),
});

export function cancelPlan(
  tx: Transaction,
  subscription: string,
  feedback: string,
  { subscription_cancel }: Features,
): void {
  const params = new URLSearchParams(feedback === "" ? {} : { "cancellation_details[feedback]": feedback });
  if (subscription_cancel.mode === "at_period_end") params.set("cancel_at_period_end", "true");
  const change = readForm(parseFormParams(params.toString()), readSubscriptionChange);
  if (subscription_cancel.mode === "at_period_end") changeSubscription(tx, change, subscription);
  else cancelNow(tx, demand(tx, "subscription", subscription), change.cancellation ?? {});
}

/** The customer accepts the offer instead of cancelling. */
export const takeOffer = (tx: Transaction, subscription: string, coupon: string): Stripe.Subscription =>
  changeSubscription(
    tx,
    readForm(parseFormParams(`discounts[0][coupon]=${encodeURIComponent(coupon)}`), readSubscriptionChange),
    subscription,
  );

export const keepPlan = (tx: Transaction, subscription: string): Stripe.Subscription =>
  changeSubscription(tx, readForm(parseFormParams("cancel_at="), readSubscriptionChange), subscription);
