import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { isEuCountry, isEuVatId } from "../../money/read-tax-id.ts";
import { ACCOUNT_COUNTRY, type Taxability } from "../../money/tax.ts";
import { taxIdsOf } from "./tax-ids.ts";

type Buyer = Pick<Stripe.Customer, "address" | "tax_exempt">;

/**
 * Whether a buyer is charged tax. A business in another country of the EU owes it there: its VAT id is enough if the format is right, as
 * at Stripe, which leaves it to the seller to look at the result of the verification. Automatic tax leaves `tax_exempt` as it is.
 */
export function taxabilityOf(buyer: Buyer, taxIds: readonly (string | null | undefined)[]): Taxability {
  if (buyer.tax_exempt === "exempt") return "customer_exempt";
  if (buyer.tax_exempt === "reverse") return "reverse_charge";
  const country = buyer.address?.country ?? "";
  const isAbroad = isEuCountry(country) && country !== ACCOUNT_COUNTRY;
  return isAbroad && taxIds.some((value) => isEuVatId(value ?? "")) ? "reverse_charge" : "standard_rated";
}

export const taxabilityOfCustomer = (tx: Transaction, customer: Stripe.Customer): Taxability =>
  taxabilityOf(
    customer,
    taxIdsOf(tx, customer).map(({ value }) => value),
  );
