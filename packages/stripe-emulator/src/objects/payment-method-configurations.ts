import type Stripe from "stripe";
import { readPage } from "../http/lists.ts";
import { route } from "../http/routing.ts";

/** The account's own: which payment methods checkout offers. The emulator's takes cards and bank debits, and can't be changed. */
const configuration: Stripe.PaymentMethodConfiguration = {
  id: "pmc_emulated",
  object: "payment_method_configuration",
  active: true,
  application: null,
  card: { available: true, display_preference: { overridable: null, preference: "on", value: "on" } },
  is_default: true,
  livemode: false,
  name: "Default",
  parent: null,
  sepa_debit: { available: true, display_preference: { overridable: null, preference: "on", value: "on" } },
};

export const paymentMethodConfigurationRoutes = [
  route("GET", "/v1/payment_method_configurations", readPage, () => ({
    object: "list" as const,
    url: "/v1/payment_method_configurations",
    has_more: false,
    data: [configuration],
  })),
];
