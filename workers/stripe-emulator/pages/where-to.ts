import type Stripe from "stripe";

/** Where the browser goes when the session is done with, or null while there is more to do on its page. */
export function whereTo(session: Stripe.Checkout.Session): string | null {
  return session.status === "complete"
    ? (session.success_url?.replaceAll("{CHECKOUT_SESSION_ID}", session.id) ?? null)
    : null;
}
