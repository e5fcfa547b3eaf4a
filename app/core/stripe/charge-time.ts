import { hourMs } from "#app/core/time/time.ts";

/** How long a renewal's invoice stays a draft (https://docs.stripe.com/billing/invoices/subscription#draft-invoices); no setting changes it. */
const draftMs = hourMs;

/** When Stripe charges for the period that begins at `periodEndsAt`, as every page announces it: payment and order have the same day. */
export function chargedAt(periodEndsAt: number): number {
  return periodEndsAt + draftMs;
}
