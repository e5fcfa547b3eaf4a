import { PRORATION_BEHAVIORS } from "../../actions/subscriptions/plan-change.ts";
import type { Form } from "../../http/form.ts";

export type ScheduleChange = ReturnType<typeof readScheduleForm>;
export type PhaseInput = ReturnType<typeof readPhase>;

export const readScheduleForm = (form: Form) => ({
  phases: form.groups("phases", readPhase),
  endBehavior: form.oneOf("end_behavior", ["cancel", "release"]),
  prorationBehavior: form.oneOf("proration_behavior", PRORATION_BEHAVIORS) ?? "create_prorations",
  metadata: form.metadata(),
  defaultMethod: form.group("default_settings", (settings) => settings.text("default_payment_method")),
});

function readPhase(form: Form) {
  // Values of the subscription that a phase repeats. Only these are supported here.
  form.text("currency");
  form.oneOf("collection_method", ["charge_automatically"]);
  return {
    items:
      form.groups("items", (item) => ({
        price: item.requiredText("price"),
        quantity: item.integer("quantity") ?? 1,
      })) ?? [],
    // A phase names the ids of discounts that the subscription has; coupons are redeemed by an update of the subscription.
    discounts: form.groups("discounts", (discount) => discount.requiredText("discount")) ?? [],
    defaultMethod: form.text("default_payment_method") ?? null,
    description: form.text("description") ?? null,
    isTaxed: form.group("automatic_tax", (tax) => {
      tax.group("liability", (liability) => liability.oneOf("type", ["self"]));
      return tax.flag("enabled");
    }),
    trialEnd: form.integer("trial_end") ?? null,
    start: readMoment(form, "start_date"),
    end: readMoment(form, "end_date"),
    duration: form.group("duration", (duration) => ({
      interval: duration.oneOf("interval", ["day", "week", "month", "year"]) ?? "month",
      interval_count: duration.integer("interval_count") ?? 1,
    })),
    prorationBehavior: form.oneOf("proration_behavior", PRORATION_BEHAVIORS) ?? "create_prorations",
    startsCycle: form.oneOf("billing_cycle_anchor", ["automatic", "phase_start"]) === "phase_start",
    metadata: form.metadata() ?? {},
    path: form.pathTo("items").replace(/\[items\]$/, ""),
  };
}

const readMoment = (form: Form, name: string): number | "now" | undefined =>
  form.text(name) === "now" ? "now" : form.integer(name);
