import type Stripe from "stripe";

/**
 * What a subscription is paid with. `brand` is a card's, such as `visa`, or Stripe's name of another method, such as `sepa_debit`.
 * `expires` is the last month in which a card can be charged, as `YYYY-MM`, and null for a method that doesn't expire.
 */
export type ProviderMethod = { brand: string; last4: string | null; expires: string | null };

/** Reads an expanded payment method. Null if there is none, or if it isn't expanded. */
export function readPaymentMethod(method: string | Stripe.PaymentMethod | null): ProviderMethod | null {
  if (!method || typeof method !== "object") return null;
  const { card, type } = method;
  if (card) {
    const month = String(card.exp_month).padStart(2, "0");
    return { brand: card.brand, last4: card.last4, expires: `${card.exp_year}-${month}` };
  }
  const account = method.sepa_debit ?? method.us_bank_account ?? method.bacs_debit ?? method.au_becs_debit;
  return { brand: type, last4: account?.last4 ?? null, expires: null };
}
