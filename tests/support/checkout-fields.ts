import type { ProductConfig } from "#app/domain/product/rules.ts";
import { product } from "#app/product.config.ts";

const { automaticTax, billingAddress }: ProductConfig = product;

/** What somebody types on the hosted checkout: a card, and an address where the product's config has one asked for. */
export function checkoutFields(testCard: string): Record<string, string> {
  const address = { line1: "1 Example Street", postal_code: "10115", city: "Berlin", country: "DE" };
  return { testCard, ...((automaticTax || billingAddress === "required") && { name: "Sample Customer", ...address }) };
}
