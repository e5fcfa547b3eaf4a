/**
 * "Visa •••• 4242" of Stripe's `visa`, "Sepa debit" of `sepa_debit`: the same in every language. `last4`: null if unknown. Its space
 * doesn't break.
 */
export function namePaymentMethod(name: string, last4: string | null): string {
  const method = name.replaceAll("_", " ");
  const capitalised = method.charAt(0).toUpperCase() + method.slice(1);
  return last4 ? `${capitalised} ••••\u00a0${last4}` : capitalised;
}
