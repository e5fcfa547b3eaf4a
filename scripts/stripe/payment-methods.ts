import Stripe from "stripe";
import { say, type SetUp } from "./changes.ts";

/** Where the team switches them on and off. */
const dashboard = "https://dashboard.stripe.com/settings/payment_methods";

/** Checks the payment methods that checkout shows, as far as the key may read them. They are the team's choice, and nothing is changed. */
export async function checkPaymentMethods(setUp: SetUp): Promise<void> {
  const methods = await listPaymentMethods(setUp.stripe).catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeError) return null;
    throw error;
  });
  if (methods === null) {
    return setUp.log(`by hand    payment methods can't be read with this key: turn cards on (${dashboard})`);
  }
  if (!methods.includes("card")) {
    return say(setUp, "attention", `cards are off (on: ${methods.join(", ") || "none"}): turn them on (${dashboard})`);
  }
  say(setUp, "unchanged", `payment methods: ${methods.join(", ")}`);
}

/** The payment methods that checkout shows, from the account's default configuration. */
export async function listPaymentMethods(stripe: Stripe): Promise<string[]> {
  const { data } = await stripe.paymentMethodConfigurations.list({ limit: 100 });
  const used = data.find(({ is_default, active }) => is_default && active);
  if (used === undefined) return [];
  const methods: [string, unknown][] = Object.entries(used);
  return methods.flatMap(([name, method]) => (isOn(method) ? [name] : []));
}

function isOn(method: unknown): boolean {
  if (typeof method !== "object" || method === null || !("available" in method)) return false;
  return method.available === true;
}
