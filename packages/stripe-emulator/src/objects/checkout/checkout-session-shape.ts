import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { newId } from "../../ids.ts";
import { invalid } from "../../http/stripe-errors.ts";
import type { NewSession } from "./checkout-form.ts";

const SECONDS_PER_MINUTE = 60;
/** Stripe's own limits for `expires_at`. */
const LIFETIME_MIN = 30 * SECONDS_PER_MINUTE;
const LIFETIME_MAX = 24 * 60 * SECONDS_PER_MINUTE;

/** Before its discount and its taxes. Long because Stripe's object is: every field that the SDK's type requires. */
export function newCheckoutSession(
  tx: Transaction,
  input: NewSession,
  customer: Stripe.Customer,
  { currency, subtotal }: { currency: string; subtotal: number },
): Stripe.Checkout.Session {
  const id = newId("cs_test", 58);
  const now = tx.clock.now();
  return {
    id,
    object: "checkout.session",
    adaptive_pricing: input.hasAdaptivePricing === null ? null : { enabled: input.hasAdaptivePricing },
    after_expiration: null,
    allow_promotion_codes: input.allowPromotionCodes,
    allowed_payment_method_types: input.allowedMethods,
    amount_subtotal: subtotal,
    amount_total: subtotal,
    automatic_tax: input.isTaxed
      ? {
          enabled: true,
          liability: { type: "self" },
          provider: "stripe",
          status: "requires_location_inputs",
        }
      : { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: input.billingAddress,
    cancel_url: input.cancelUrl,
    client_reference_id: input.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: customer.id,
    customer_account: null,
    customer_creation: null,
    customer_details: {
      address: customer.address ?? null,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: customer.name ?? null,
      phone: null,
      tax_exempt: customer.tax_exempt ?? "none",
      tax_ids: [],
    },
    customer_email: null,
    discounts: input.discounts.map(({ coupon, promotionCode }) => ({ coupon, promotion_code: promotionCode })),
    expires_at: expiryOf(now, input.expiresAt),
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: input.locale,
    managed_payments: null,
    metadata: input.metadata,
    mode: "subscription",
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: input.methodCollection,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: offeredMethods(input),
    payment_status: "unpaid",
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: {
      allow_redisplay_filters: ["always"],
      payment_method_remove: "disabled",
      payment_method_save: null,
    },
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    success_url: input.successUrl,
    tax_id_collection: { enabled: input.taxId?.isAsked ?? false, required: input.taxId?.required ?? "never" },
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: `${tx.origin}/checkout/${id}`,
    wallet_options: null,
  };
}

/** The payment methods enabled in the dashboard, narrowed to those the caller allows. */
const offeredMethods = ({ allowedMethods }: NewSession): string[] =>
  ["card", "sepa_debit"].filter((method) => allowedMethods?.includes(method) ?? true);

function expiryOf(now: number, expiresAt: number | undefined): number {
  if (expiresAt === undefined) return now + LIFETIME_MAX;
  if (expiresAt < now + LIFETIME_MIN)
    throw invalid("The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.", {
      param: "expires_at",
    });
  if (expiresAt > now + LIFETIME_MAX)
    throw invalid("The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.", {
      param: "expires_at",
    });
  return expiresAt;
}
