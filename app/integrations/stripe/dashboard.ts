/** Stripe's dashboard, in its test mode for a key of that. Null: there is no key, or Stripe is the local emulator. */
export function dashboardOf(key: string, apiBase: string): string | null {
  if (key === "" || apiBase !== "") return null;
  return `https://dashboard.stripe.com${/^[a-z]{2}_test_/.test(key) ? "/test" : ""}`;
}
