import type Stripe from "stripe";

/** `expires` is the last month in which it can be charged: `YYYY-MM`. */
export type ProviderCard = { brand: string; last4: string; expires: string };

type Method = string | Stripe.PaymentMethod | null;

/** The card behind a means of payment that was asked for in full; null for anything else, a bank account too. */
export function readCard(method: Method): ProviderCard | null {
  const card = method && typeof method === "object" ? method.card : undefined;
  if (!card) return null;
  const { brand, last4, exp_year, exp_month } = card;
  return { brand, last4, expires: `${exp_year}-${String(exp_month).padStart(2, "0")}` };
}
