import type Stripe from "stripe";
import { nothing, route } from "../../http/routing.ts";
import { missingObject } from "../../http/stripe-errors.ts";
import { ACCOUNT_COUNTRY, STANDARD_RATE_ID, TAX_PERCENT, ZERO_RATE_ID } from "../../money/tax.ts";

/** The rates of automatic tax here, wherever the customer is. Stripe creates one for each place. */
export const taxRateRoutes = [
  route("GET", "/v1/tax_rates/:id", nothing, (_books, _, id = "") => {
    const percent = PERCENTS[id];
    if (percent === undefined) throw missingObject("tax_rate", id);
    return rateOf(id, percent);
  }),
];

const PERCENTS: Record<string, number> = { [STANDARD_RATE_ID]: TAX_PERCENT, [ZERO_RATE_ID]: 0 };

const rateOf = (id: string, percent: number): Stripe.TaxRate => ({
  id,
  object: "tax_rate",
  active: false,
  country: ACCOUNT_COUNTRY,
  created: 1_700_000_000,
  description: null,
  display_name: "VAT",
  effective_percentage: percent,
  flat_amount: null,
  inclusive: true,
  jurisdiction: "Ireland",
  jurisdiction_level: "country",
  livemode: false,
  metadata: {},
  percentage: percent,
  rate_type: "percentage",
  state: null,
  tax_type: "vat",
});
