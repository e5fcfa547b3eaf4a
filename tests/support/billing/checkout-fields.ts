import { isTaxedByStripe, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";

const config: ProductConfig = product;
const address = { line1: "1 Example Street", postal_code: "10115", city: "Berlin", country: "DE" };

/**
 * What a customer types on the hosted checkout in addition to the payment method: an address, if the product's config
 * requires one.
 */
export const billingFields: Record<string, string> =
  isTaxedByStripe(config) || config.billingAddress === "required" ? { name: "Sample Customer", ...address } : {};

export function checkoutFields(testCard: string): Record<string, string> {
  return { testCard, ...billingFields };
}
