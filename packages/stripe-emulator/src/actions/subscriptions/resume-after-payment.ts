import type Stripe from "stripe";
import type { Store } from "../../store.ts";
import type { Transaction } from "../../transaction.ts";
import { demand, idOf } from "../../objects/demand.ts";
import { subscriptionOf } from "../../objects/invoices/invoice-shape.ts";
import type { PauseCause } from "./pause-subscription.ts";

/**
 * Whether a subscription that a failed payment has paused resumes by itself, and in which cycle: a setting of the dashboard.
 * https://docs.stripe.com/billing/revenue-recovery/smart-retries/pause-on-payment-failure
 */
export const RESUMES = ["never", "unchanged", "now"] as const;
export type Resumes = (typeof RESUMES)[number];

export const resumesBy = (store: Store): Resumes => RESUMES.find((known) => known === store.note("resumes")) ?? "never";

export const setResumes = (store: Store, resumes: Resumes): void => store.writeNote("resumes", resumes);

const BY_FAILURE: readonly string[] = ["first_payment_failure", "final_payment_failure"] satisfies PauseCause[];

/** The invoice whose payment failed is paid or written off. Stripe resumes the subscription after that, not with it. */
export function resumeAfterPayment(tx: Transaction, invoice: Stripe.Invoice): void {
  const id = subscriptionOf(invoice);
  if (id === null || resumesBy(tx.store) === "never") return;
  const { latest_invoice: latest, status, status_details: details } = demand(tx, "subscription", id);
  const isPausedByFailure = status === "paused" && BY_FAILURE.includes(details?.paused.subscription.type ?? "");
  if (isPausedByFailure && latest !== null && idOf(latest) === invoice.id)
    tx.clock.setTimer("subscription-resumes", id, tx.clock.now());
}
