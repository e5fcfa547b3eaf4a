import type Stripe from "stripe";

/** Where the browser goes when the session is finished, or null while its page still has something to do. */
export function redirectTarget(session: Stripe.Checkout.Session): string | null {
  return session.status === "complete"
    ? (session.success_url?.replaceAll("{CHECKOUT_SESSION_ID}", session.id) ?? null)
    : null;
}
