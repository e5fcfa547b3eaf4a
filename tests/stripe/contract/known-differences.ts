import type { Finding } from "./contract.ts";

/** Where the emulator or the product knowingly differs from the SDK's types. */
type KnownDifference = { where: RegExp; path: string; got: RegExp; reason: string };

export const knownDifferences: KnownDifference[] = [
  {
    where: /^GET .* answer 400$/,
    path: "/error/code",
    got: /^"property_expansion_max_depth"$/,
    reason: "Stripe answers a path that is too deep with this code. The SDK lists only the codes that objects mention.",
  },
  {
    where: /^POST \/v1\/subscriptions.* answer 402$/,
    path: "/error/code",
    got: /^"subscription_payment_intent_requires_action"$/,
    reason:
      "Stripe's code for `error_if_incomplete` when the bank asks the holder. The SDK lists only what objects mention.",
  },
];

export function isKnown({ where, path, got }: Finding): boolean {
  return knownDifferences.some((known) => known.where.test(where) && known.path === path && known.got.test(got));
}
