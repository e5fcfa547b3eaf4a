/** Names that differ from Stripe's in more than a capital: https://docs.stripe.com/api/payment_methods/object. */
const names: Readonly<Record<string, string>> = {
  amex: "American Express",
  au_becs_debit: "BECS Direct Debit",
  bacs_debit: "Bacs Direct Debit",
  cartes_bancaires: "Cartes Bancaires",
  eftpos_au: "eftpos",
  ideal: "iDEAL",
  jcb: "JCB",
  paypal: "PayPal",
  sepa_debit: "SEPA Direct Debit",
  unionpay: "UnionPay",
  us_bank_account: "US bank account",
};

/** "Visa •••• 4242" for Stripe's `visa`, the same in every language. `last4` is null if it is unknown. The space doesn't break. */
export function namePaymentMethod(name: string, last4: string | null): string {
  const method = name.replaceAll("_", " ");
  const full = names[name] ?? method.charAt(0).toUpperCase() + method.slice(1);
  return last4 ? `${full} ••••\u00a0${last4}` : full;
}
