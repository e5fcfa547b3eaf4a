import type { ChangeInput } from "../../actions/subscriptions/plan-change.ts";
import type { Form } from "../../http/form.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { readDiscountInput } from "../catalogue/redemption.ts";
import { readTerms } from "../subscriptions/subscription-forms.ts";

export type PreviewInput = ReturnType<typeof readPreviewForm>;

export function readPreviewForm(form: Form) {
  form.text("currency");
  form.oneOf("preview_mode", ["next"]);
  const given = new Set(form.names());
  const details = form.group("subscription_details", readDetails);
  const terms: ChangeInput = details?.terms ?? {};
  const input = {
    customer: form.text("customer"),
    subscription: form.text("subscription"),
    schedule: form.text("schedule"),
    // An empty value means none, not even the subscription's own.
    discounts: given.has("discounts") ? (form.groups("discounts", readDiscountInput) ?? []) : undefined,
    isTaxed: form.group("automatic_tax", (tax) => tax.flag("enabled")),
    cancelAtPeriodEnd: details?.cancelAtPeriodEnd,
    terms,
  };
  if (input.schedule !== undefined && (input.subscription !== undefined || details !== undefined))
    throw invalid("You may only specify one of these parameters: schedule, subscription.", { param: "schedule" });
  if (terms.prorationDate !== undefined && terms.prorationBehavior === "none")
    throw invalid("`proration_date` can't be set when `proration_behavior` is `none`.", {
      param: "subscription_details[proration_date]",
    });
  return input;
}

function readDetails(form: Form) {
  form.metadata();
  return { cancelAtPeriodEnd: form.flag("cancel_at_period_end"), terms: readTerms(form) };
}
