/**
 * Decides which optional pages a product has. Pure: menu, footer, sitemap and gallery call it, so that none of them links to an empty
 * page. The URLs themselves keep working.
 */
import type { ProductConfig } from "./rules.ts";
import type { Gate } from "./gate.rules.ts";

export type Features = {
  gate: boolean;
  referral: boolean;
  withdrawal: boolean;
  cancellation: boolean;
};

/** `gate` is the deployment's, which may differ from the config's. */
export function featuresOf(
  {
    referral,
    withdrawalDays,
    cancellationPage,
  }: Pick<ProductConfig, "referral" | "withdrawalDays" | "cancellationPage">,
  gate: Gate,
): Features {
  return {
    gate: gate.kind !== "none",
    referral: referral.state === "open",
    withdrawal: withdrawalDays !== "off",
    cancellation: cancellationPage === "on",
  };
}
