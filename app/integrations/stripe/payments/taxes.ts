import { Stripe } from "stripe";
import type { Connection } from "./checkout.ts";

/** One tax of an invoice. `percent` is null where Stripe doesn't state the rate, or charges a flat amount. */
type ProviderTax = {
  name: string | null;
  percent: number | null;
  amountMinor: number;
  isReverseCharge: boolean;
};

/** `netMinor` is the invoice's amount without taxes, before the customer's balance. */
export type ProviderTaxes = { netMinor: number; parts: ProviderTax[] };

type Rate = { name: string; percent: number | null };

/** Each rate is requested once per isolate, because a rate never changes at Stripe: another percentage is another rate. */
const knownRates = new Map<string, Rate>();
/** Tax rates that an isolate caches. */
const knownRatesMax = 1000;

/** The taxes on an invoice. Null if there are none, or only zero amounts because nothing has to be collected. */
export function readTaxes(invoice: Stripe.Invoice): ProviderTaxes | null {
  const parts = taxesOf(invoice).map(({ amount, tax_rate_details, taxability_reason }) => {
    const rate = knownRates.get(tax_rate_details?.tax_rate ?? "");
    return {
      name: rate?.name ?? null,
      percent: rate?.percent ?? null,
      amountMinor: amount,
      isReverseCharge: taxability_reason === "reverse_charge",
    };
  });
  return parts.length === 0 || invoice.total_excluding_tax === null
    ? null
    : { netMinor: invoice.total_excluding_tax, parts };
}

/** An invoice contains only its rates' ids: their names and percentages are fetched here, before it is read. */
export async function fetchTaxRates(connection: Connection, invoices: Stripe.Invoice[]): Promise<void> {
  const ids = invoices.flatMap(taxesOf).flatMap(({ tax_rate_details }) => tax_rate_details?.tax_rate ?? []);
  const unknown = [...new Set(ids)].filter((id) => !knownRates.has(id));
  await Promise.all(unknown.map((id) => fetchTaxRate(connection, id)));
}

async function fetchTaxRate({ stripe, within }: Connection, id: string): Promise<void> {
  try {
    const rate = await stripe.taxRates.retrieve(id, {}, within());
    if (knownRates.size >= knownRatesMax) knownRates.clear();
    knownRates.set(id, {
      name: rate.display_name,
      percent: rate.flat_amount ? null : (rate.effective_percentage ?? rate.percentage),
    });
  } catch (error) {
    // A restricted key without permission to read tax rates: receipts show the amount of a tax without its rate.
    if (!(error instanceof Stripe.errors.StripePermissionError)) throw error;
  }
}

function taxesOf({ total_taxes }: Stripe.Invoice): Stripe.Invoice.TotalTax[] {
  return (total_taxes ?? []).filter(
    ({ amount, taxability_reason }) => amount !== 0 || taxability_reason === "reverse_charge",
  );
}
