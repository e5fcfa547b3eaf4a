import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { redeemableFor } from "../../objects/catalogue/redemption.ts";
import { redeemFor } from "../../objects/invoices/discounts.ts";
import { grossOf } from "../../objects/invoices/invoice-lines.ts";
import { demand, idOf } from "../../objects/demand.ts";
import type { SubscriptionChange } from "../../objects/subscriptions/subscription-forms.ts";
import { saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { invalid, missingReference } from "../../http/stripe-errors.ts";
import { ENDED } from "./cancel-now.ts";
import { carryOut } from "./carry-out.ts";
import { ownMethod } from "./change-items.ts";
import { requirePendingUpdates } from "./pending-update-methods.ts";
import { endOf, watchEnd } from "./watch-end.ts";
import { planChange } from "./plan-change.ts";
import { followChange } from "./phases.ts";

/** `POST /v1/subscriptions/:id`. All requested changes are made in one update. */
export function changeSubscription(tx: Transaction, input: SubscriptionChange, id = ""): Stripe.Subscription {
  const before = demand(tx, "subscription", id);
  const wants = input.items !== undefined || input.startsCycleNow || input.trialEnd !== undefined;
  requireChangeable(tx, before, input, wants);
  const changes = ownChanges(tx, before, input);
  const after = wants
    ? carryOut(tx, planChange(tx, before, input), input.paymentBehavior ?? "allow_incomplete", changes)
    : saveSubscription(tx, before, changes);
  if (input.pause !== undefined) watchResumption(tx, after, input.pause);
  if (wants || input.discounts !== undefined) followChange(tx, after);
  watchEnd(tx, after);
  return after;
}

function requireChangeable(
  tx: Transaction,
  before: Stripe.Subscription,
  input: SubscriptionChange,
  wants: boolean,
): void {
  const hasEnded = ENDED.includes(before.status);
  const changesEnd = input.cancelAtPeriodEnd !== undefined || input.cancelAt !== undefined;
  if (hasEnded && (wants || changesEnd || input.defaultPaymentMethod !== undefined))
    throw invalid("A canceled subscription can only update its cancellation_details and metadata.");
  if (before.status === "incomplete" && wants)
    throw invalid(
      "You cannot update a subscription in `incomplete` status: only its metadata and default payment method can change.",
    );
  if (before.status === "paused" && wants) throw invalid("You cannot update a paused subscription. Resume it first.");
  if (before.schedule !== null && changesEnd)
    throw invalid(
      `The subscription is managed by the subscription schedule \`${idOf(before.schedule)}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    );
  if (input.paymentBehavior === "pending_if_incomplete" && wants) requirePendingUpdates(tx, before);
  if (input.paymentBehavior === "pending_if_incomplete" && input.others.length > 0)
    throw invalid(
      `When \`payment_behavior\` is \`pending_if_incomplete\`, only attributes that support pending updates can be passed. These can't: ${input.others.join(", ")}.`,
      { param: input.others[0] ?? "" },
    );
}

/** Discounts, as the team adds and removes them in the dashboard. Any that isn't named is removed. */
function discountsBy(
  tx: Transaction,
  before: Stripe.Subscription,
  inputs: NonNullable<SubscriptionChange["discounts"]>,
): string[] {
  if (inputs.length > 1) throw invalid("The emulator keeps one discount per subscription.", { param: "discounts" });
  return inputs.map(({ redeemed, kept = "" }) => {
    if (redeemed !== undefined) {
      const { customer, currency, items } = before;
      const subtotal = items.data.reduce((sum, item) => sum + grossOf(item), 0);
      const purchase = { customer: idOf(customer), currency, subtotal };
      return redeemFor(tx, redeemableFor(tx, redeemed, purchase, "discounts[0]"), before, null).id;
    }
    if (before.discounts.map(idOf).includes(kept)) return kept;
    throw missingReference("discount", kept, "discounts[0][discount]");
  });
}

function ownChanges(
  tx: Transaction,
  before: Stripe.Subscription,
  input: SubscriptionChange,
): Partial<Stripe.Subscription> {
  const method = input.defaultPaymentMethod;
  if (method !== undefined && method !== "") ownMethod(tx, idOf(before.customer), method, "default_payment_method");
  return {
    ...endOf(tx, before, input),
    ...(input.discounts !== undefined && { discounts: discountsBy(tx, before, input.discounts) }),
    ...(method !== undefined && { default_payment_method: method === "" ? null : method }),
    description: input.description ?? before.description,
    metadata: mergeMetadata(before.metadata, input.metadata),
    ...(input.pause !== undefined && { pause_collection: input.pause }),
    ...(input.trialSettings !== undefined && { trial_settings: input.trialSettings }),
  };
}

function watchResumption(
  tx: Transaction,
  subscription: Stripe.Subscription,
  pause: Stripe.Subscription.PauseCollection | null,
): void {
  const resumesAt = pause?.resumes_at ?? null;
  if (resumesAt === null) tx.clock.clearTimer("collection-resumes", subscription.id);
  else tx.clock.setTimer("collection-resumes", subscription.id, resumesAt);
}
