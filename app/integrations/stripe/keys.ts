/** A key of Stripe's test mode, secret or restricted: no card is charged. */
export function isTestKey(key: string): boolean {
  return /^[rs]k_test_/.test(key.trim());
}

/** The address of Stripe's dashboard, in test mode for a test key. Null without a key, or with the local emulator. */
export function dashboardOf(key: string, apiBase: string): string | null {
  if (key === "" || apiBase !== "") return null;
  return `https://dashboard.stripe.com${isTestKey(key) ? "/test" : ""}`;
}
