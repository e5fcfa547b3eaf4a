import type Stripe from "stripe";
import { ENDED } from "../../actions/subscriptions/cancel-now.ts";
import { endsWithPeriod } from "../../actions/subscriptions/watch-end.ts";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { invalid, missingParameter, missingReference } from "../../http/stripe-errors.ts";
import { type DiscountInput, readDiscountInput, redeemableFor } from "../catalogue/redemption.ts";
import { idOf, refer } from "../demand.ts";
import { grossOf } from "../invoices/invoice-lines.ts";

type Flow = Stripe.BillingPortal.Session.Flow;
type Configuration = Stripe.BillingPortal.Configuration;

const TYPES = [
  "payment_method_update",
  "subscription_cancel",
  "subscription_update",
  "subscription_update_confirm",
] as const;

type FlowInput = ReturnType<typeof readFlow>;

export function readFlow(form: Form) {
  const type = form.oneOf("type", TYPES);
  if (type === undefined) throw missingParameter(form.pathTo("type"));
  return {
    type,
    completion: form.group("after_completion", readCompletion) ?? { type: "portal_homepage" as const },
    cancel: form.group("subscription_cancel", (cancel) => ({
      subscription: cancel.requiredText("subscription"),
      coupon: cancel.group("retention", (retention) => {
        retention.oneOf("type", ["coupon_offer"]);
        return retention.group("coupon_offer", (offer) => offer.requiredText("coupon"));
      }),
    })),
    update: form.group("subscription_update", (update) => update.requiredText("subscription")),
    confirm: form.group("subscription_update_confirm", (confirm) => ({
      subscription: confirm.requiredText("subscription"),
      items:
        confirm.groups("items", (item) => ({
          id: item.requiredText("id"),
          price: item.text("price"),
          quantity: item.integer("quantity"),
        })) ?? [],
      discounts: confirm.groups("discounts", readDiscountInput) ?? [],
    })),
  };
}

function readCompletion(form: Form) {
  const type = form.oneOf("type", ["hosted_confirmation", "portal_homepage", "redirect"]);
  if (type === undefined) throw missingParameter(form.pathTo("type"));
  const returnUrl = form.group("redirect", (redirect) => redirect.requiredText("return_url"));
  if (type === "redirect" && returnUrl === undefined) throw missingParameter(form.pathTo("redirect"));
  const message = form.group("hosted_confirmation", (confirmation) => confirmation.text("custom_message")) ?? null;
  return { type, returnUrl, message };
}

/** The flow of a new session, if its configuration allows it for this customer's subscription. */
export function flowOf(tx: Transaction, customer: string, { features }: Configuration, input: FlowInput): Flow {
  const nothing: Flow = {
    after_completion: completionOf(input.completion),
    customer_update: null,
    subscription_cancel: null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: null,
    type: input.type,
  };
  const path = `flow_data[${input.type}]`;
  switch (input.type) {
    case "payment_method_update":
      return nothing;
    case "subscription_cancel": {
      if (input.cancel === undefined) throw missingParameter(path);
      requireFeature(features.subscription_cancel.enabled, "canceled", "cancel");
      const subscription = ownPlan(tx, customer, input.cancel.subscription, path);
      if (endsWithPeriod(subscription))
        throw invalid(`The subscription ${subscription.id} is already set to be canceled.`, {
          param: `${path}[subscription]`,
        });
      const { coupon } = input.cancel;
      const offered = coupon === undefined ? null : refer(tx, "coupon", coupon, `${path}[retention][coupon_offer]`).id;
      const retention = offered === null ? null : { coupon_offer: { coupon: offered }, type: "coupon_offer" as const };
      return { ...nothing, subscription_cancel: { retention, subscription: subscription.id } };
    }
    case "subscription_update": {
      if (input.update === undefined) throw missingParameter(path);
      requireFeature(features.subscription_update.enabled, "updated", "update");
      const { id } = changeablePlan(tx, customer, input.update, path);
      return { ...nothing, subscription_update: { subscription: id } };
    }
    case "subscription_update_confirm":
      if (input.confirm === undefined) throw missingParameter(path);
      requireFeature(features.subscription_update.enabled, "updated", "update");
      return { ...nothing, subscription_update_confirm: confirmOf(tx, customer, features, input.confirm, path) };
  }
}

function completionOf({
  type,
  returnUrl,
  message,
}: Partial<ReturnType<typeof readCompletion>>): Flow["after_completion"] {
  return {
    hosted_confirmation: type === "hosted_confirmation" ? { custom_message: message ?? null } : null,
    redirect: type === "redirect" && returnUrl !== undefined ? { return_url: returnUrl } : null,
    type: type ?? "portal_homepage",
  };
}

/** Stripe's words for an update; those for a cancellation are modelled on them. */
function requireFeature(isEnabled: boolean, done: string, feature: string): void {
  if (!isEnabled)
    throw invalid(
      `This subscription cannot be ${done} because the subscription ${feature} feature in the portal configuration is disabled.`,
    );
}

function ownPlan(tx: Transaction, customer: string, id: string, path: string): Stripe.Subscription {
  const subscription = tx.store.find("subscription", id);
  if (subscription === null || idOf(subscription.customer) !== customer || ENDED.includes(subscription.status))
    throw missingReference("subscription", id, `${path}[subscription]`);
  return subscription;
}

/** The portal changes subscriptions of one product that no schedule manages. */
function changeablePlan(tx: Transaction, customer: string, id: string, path: string): Stripe.Subscription {
  const subscription = ownPlan(tx, customer, id, path);
  const because = (reason: string) =>
    invalid(`This subscription cannot be updated because ${reason}.`, { param: `${path}[subscription]` });
  if (subscription.items.data.length !== 1) throw because("it has multiple products");
  if (subscription.schedule !== null) throw because("it is managed by a subscription schedule");
  if (endsWithPeriod(subscription)) throw because("it is set to be canceled");
  if (!["active", "past_due", "trialing"].includes(subscription.status)) throw because(`it is ${subscription.status}`);
  return subscription;
}

function confirmOf(
  tx: Transaction,
  customer: string,
  { subscription_update }: Configuration["features"],
  input: NonNullable<FlowInput["confirm"]>,
  path: string,
): NonNullable<Flow["subscription_update_confirm"]> {
  const subscription = changeablePlan(tx, customer, input.subscription, path);
  const [own] = subscription.items.data;
  const [item] = input.items;
  if (item === undefined || input.items.length > 1)
    throw invalid("The portal changes one item of a subscription.", { param: `${path}[items]` });
  if (own === undefined || item.id !== own.id)
    throw missingReference("subscription item", item.id, `${path}[items][0][id]`);
  const price = item.price ?? own.price.id;
  if (price !== own.price.id && !allowedPrices(subscription_update).includes(price))
    throw invalid(`The price ${price} isn't one of the portal configuration's products.`, {
      param: `${path}[items][0][price]`,
    });
  if (price === own.price.id && (item.quantity ?? own.quantity) === own.quantity)
    throw invalid("This subscription is already as the update would make it.", { param: `${path}[items]` });
  const purchase = { customer, currency: subscription.currency, subtotal: grossOf(own) };
  for (const discount of input.discounts) redeemableFor(tx, discount, purchase, `${path}[discounts][0]`);
  return {
    discounts: input.discounts.length === 0 ? null : input.discounts.map(discountOf),
    items: [{ id: own.id, price, ...(item.quantity !== undefined && { quantity: item.quantity }) }],
    subscription: subscription.id,
  };
}

const discountOf = ({ coupon, promotionCode }: DiscountInput) => ({ coupon, promotion_code: promotionCode });

export const allowedPrices = ({
  default_allowed_updates,
  products,
}: Configuration["features"]["subscription_update"]): string[] =>
  default_allowed_updates.includes("price") ? (products ?? []).flatMap(({ prices }) => prices) : [];
