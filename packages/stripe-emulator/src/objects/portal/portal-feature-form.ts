import type Stripe from "stripe";
import type { Form } from "../../http/form.ts";
import { invalid, missingParameter } from "../../http/stripe-errors.ts";

type Features = Stripe.BillingPortal.Configuration["features"];

export const ALLOWED_UPDATES = ["address", "email", "name", "phone", "shipping", "tax_id"];
const REASONS = [
  "customer_service",
  "low_quality",
  "missing_features",
  "other",
  "switched_service",
  "too_complex",
  "too_expensive",
  "unused",
] as const;
const PRORATIONS = ["always_invoice", "create_prorations", "none"] as const;

/** A feature that this portal lacks may only be set to disabled: enabling it would promise a missing page. */
export function readFeatures(form: Form) {
  const isOff = (name: string): void => {
    if (form.group(name, readEnabled) === true)
      throw invalid(`The local portal can't do this: ${name}.`, { param: `${form.pathTo(name)}[enabled]` });
  };
  for (const name of ["invoice_history", "subscription_pause"]) isOff(name);
  return {
    customerUpdate: form.group("customer_update", (update) => ({
      enabled: update.flag("enabled"),
      allowed: update.texts("allowed_updates")?.map(allowedUpdate),
    })),
    paymentMethodUpdate: form.group("payment_method_update", readEnabled),
    subscriptionCancel: form.group("subscription_cancel", readCancel),
    subscriptionUpdate: form.group("subscription_update", readUpdate),
  };
}

function readEnabled(feature: Form): boolean {
  const enabled = feature.flag("enabled");
  if (enabled === undefined) throw missingParameter(feature.pathTo("enabled"));
  return enabled;
}

function readCancel(form: Form): Partial<Features["subscription_cancel"]> {
  const mode = form.oneOf("mode", ["at_period_end", "immediately"]);
  // A cancellation gives nothing back here.
  form.oneOf("proration_behavior", ["none"]);
  const reason = form.group("cancellation_reason", (group) => ({
    enabled: readEnabled(group),
    feedback_options: null,
    options: (group.texts("options") ?? []).flatMap((given) => REASONS.find((known) => known === given) ?? []),
  }));
  const enabled = form.flag("enabled");
  return {
    ...(enabled !== undefined && { enabled }),
    ...(mode !== undefined && { mode }),
    ...(reason !== undefined && { cancellation_reason: reason }),
  };
}

function readUpdate(form: Form): Partial<Features["subscription_update"]> {
  const given = new Set(form.names());
  const enabled = form.flag("enabled");
  const prorations = form.oneOf("proration_behavior", PRORATIONS);
  const updates = form.texts("default_allowed_updates")?.map((name) => updateNamed(form, name));
  const products = form.groups("products", (product) => ({
    adjustable_quantity: product.group("adjustable_quantity", readQuantity) ?? {
      enabled: false,
      maximum: null,
      minimum: 1,
    },
    prices: product.texts("prices") ?? [],
    product: product.requiredText("product"),
  }));
  if (enabled === true && updates === undefined) throw missingParameter(form.pathTo("default_allowed_updates"));
  if (enabled === true && products === undefined) throw missingParameter(form.pathTo("products"));
  return {
    ...(enabled !== undefined && { enabled }),
    ...(prorations !== undefined && { proration_behavior: prorations }),
    ...(given.has("default_allowed_updates") && { default_allowed_updates: updates ?? [] }),
    ...(given.has("products") && { products: products ?? [] }),
  };
}

function updateNamed(form: Form, name: string): "price" | "quantity" {
  if (name === "price" || name === "quantity") return name;
  throw invalid(`The local portal can't do this: ${name}.`, { param: form.pathTo("default_allowed_updates") });
}

const readQuantity = (form: Form) => ({
  enabled: readEnabled(form),
  maximum: form.integer("maximum") ?? null,
  minimum: form.integer("minimum") ?? 1,
});

function allowedUpdate(name: string): string {
  if (ALLOWED_UPDATES.includes(name)) return name;
  throw invalid(`Invalid features[customer_update][allowed_updates]: must be one of ${ALLOWED_UPDATES.join(", ")}`, {
    param: "features[customer_update][allowed_updates]",
  });
}
