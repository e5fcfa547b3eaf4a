/**
 * Which pages a product has besides those that every product has. Pure: menu, footer, sitemap and gallery ask here, so that none of
 * them leads to a page that has nothing to offer. The addresses themselves go on answering.
 */
import type { ProductConfig } from "./rules.ts";
import type { Gate } from "./gate.rules.ts";

export type Features = { waitlist: boolean; referral: boolean; preferences: boolean; withdrawal: boolean };

/** `gate` is the deployment's, which may differ from the config's. */
export function featuresOf(
  { referral, preferences, withdrawalDays }: Pick<ProductConfig, "referral" | "preferences" | "withdrawalDays">,
  gate: Gate,
): Features {
  return {
    waitlist: gate.kind !== "none",
    referral: referral.state === "open",
    preferences: preferences.length > 0,
    withdrawal: withdrawalDays !== "off",
  };
}
