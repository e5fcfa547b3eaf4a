import type Stripe from "stripe";
import { nothing, route } from "../../http/routing.ts";
import { missingObject } from "../../http/stripe-errors.ts";
import { TAX_PERCENT, TAX_RATE_ID } from "./invoice-lines.ts";

/** The one rate of automatic tax here, wherever the customer is. Stripe creates one for each place. */
export const taxRateRoutes = [
  route("GET", "/v1/tax_rates/:id", nothing, (_books, _, id = "") => {
    if (id !== TAX_RATE_ID) throw missingObject("tax_rate", id);
    return RATE;
  }),
];

const RATE: Stripe.TaxRate = {
  id: TAX_RATE_ID,
  object: "tax_rate",
  active: false,
  country: "IE",
  created: 1_700_000_000,
  description: null,
  display_name: "VAT",
  effective_percentage: TAX_PERCENT,
  flat_amount: null,
  inclusive: true,
  jurisdiction: "Ireland",
  jurisdiction_level: "country",
  livemode: false,
  metadata: {},
  percentage: TAX_PERCENT,
  rate_type: "percentage",
  state: null,
  tax_type: "vat",
};
