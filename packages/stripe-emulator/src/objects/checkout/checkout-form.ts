import type { Form } from "../../http/form.ts";
import { readDiscountInput } from "../catalogue/redemption.ts";

export type NewSession = ReturnType<typeof readCheckoutForm>;

export function readCheckoutForm(form: Form) {
  return {
    mode: form.oneOf("mode", ["payment", "setup", "subscription"]),
    customer: form.requiredText("customer"),
    lineItems:
      form.groups("line_items", (item) => ({
        price: item.requiredText("price"),
        quantity: item.integer("quantity") ?? 1,
      })) ?? [],
    successUrl: form.requiredText("success_url"),
    cancelUrl: form.text("cancel_url") ?? null,
    clientReferenceId: form.text("client_reference_id") ?? null,
    metadata: form.metadata() ?? {},
    subscriptionData: form.group("subscription_data", (data) => ({
      metadata: data.metadata() ?? {},
      description: data.text("description") ?? null,
    })),
    discounts: form.groups("discounts", readDiscountInput) ?? [],
    allowPromotionCodes: form.flag("allow_promotion_codes") ?? null,
    expiresAt: form.integer("expires_at"),
    isTaxed: form.group("automatic_tax", (tax) => tax.flag("enabled")) ?? false,
    saves: form.group("customer_update", readCustomerUpdate) ?? { name: false, address: false },
    billingAddress: form.oneOf("billing_address_collection", ["auto", "required"]) ?? null,
    taxId: form.group("tax_id_collection", (tax) => ({
      isAsked: tax.flag("enabled") ?? false,
      required: tax.oneOf("required", ["if_supported", "never"]) ?? "never",
    })),
    locale: form.text("locale") ?? null,
    allowedMethods: form.texts("allowed_payment_method_types") ?? null,
    hasAdaptivePricing: form.group("adaptive_pricing", (pricing) => pricing.flag("enabled")) ?? null,
    methodCollection: form.oneOf("payment_method_collection", ["always", "if_required"]) ?? "always",
    uiMode: form.oneOf("ui_mode", ["hosted_page"]) ?? "hosted_page",
  };
}

/** Whether what is typed at checkout is saved to the customer. */
const readCustomerUpdate = (form: Form) => ({
  name: form.oneOf("name", ["auto", "never"]) === "auto",
  address: form.oneOf("address", ["auto", "never"]) === "auto",
});
