import type Stripe from "stripe";

/** `expires` is the last month in which it can be charged: `YYYY-MM`. */
export type ProviderCard = { brand: string; last4: string; expires: string };

type Method = string | Stripe.PaymentMethod | null;

/** The card of an expanded payment method; null for anything else, including a bank account. */
export function readCard(method: Method): ProviderCard | null {
  const card = method && typeof method === "object" ? method.card : undefined;
  if (!card) return null;
  const { brand, last4, exp_year, exp_month } = card;
  return { brand, last4, expires: `${exp_year}-${String(exp_month).padStart(2, "0")}` };
}
