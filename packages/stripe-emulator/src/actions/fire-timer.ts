import type { Transaction } from "../transaction.ts";
import type { Timer } from "../time/clock.ts";
import { demand } from "../objects/demand.ts";
import { makeAvailable } from "../objects/payments/balance-transactions.ts";
import { endDiscount } from "../objects/invoices/discounts.ts";
import { saveSubscription } from "../objects/subscriptions/subscription-shape.ts";
import { cancelNow } from "./subscriptions/cancel-now.ts";
import { expireSession, progressOf, settleDebit } from "./payments/checkout.ts";
import { collectInvoice, settleInvoiceDebit } from "./payments/collect-invoice.ts";
import { runOutOfTime } from "./payments/dispute.ts";
import { dropPendingUpdate } from "./subscriptions/drop-pending-update.ts";
import { expireIncomplete } from "./subscriptions/expire-incomplete.ts";
import { announceRenewal } from "./payments/preview-invoice.ts";
import { settleRefund } from "./payments/refund-charge.ts";
import { advanceDraft, endPeriod } from "./subscriptions/end-period.ts";
import { resumesBy } from "./subscriptions/resume-after-payment.ts";
import { resumeSubscription } from "./subscriptions/resume-subscription.ts";
import { endPhase } from "./subscriptions/phases.ts";

/** Everything that the clock alone triggers. */
export function fireTimer(tx: Transaction, timer: Timer): void {
  const { kind, object } = timer;
  switch (kind) {
    case "session-expires":
      expireSession(tx, demand(tx, "checkout_session", object));
      return;
    case "bank-debit-settles": {
      const session = demand(tx, "checkout_session", object);
      settleDebit(tx, session, progressOf(tx, session).bank_debit_end ?? "succeeds");
      return;
    }
    case "refund-settles":
      settleRefund(tx, demand(tx, "refund", object));
      return;
    case "discount-ends":
      endDiscount(tx, demand(tx, "discount", object));
      return;
    case "dispute-moves":
      runOutOfTime(tx, demand(tx, "dispute", object));
      return;
    case "funds-available":
      makeAvailable(tx, demand(tx, "balance_transaction", object));
      return;
    case "invoice-debit-settles":
      settleInvoiceDebit(tx, demand(tx, "invoice", object), "succeeds");
      return;
    case "invoice-finalizes":
      advanceDraft(tx, demand(tx, "invoice", object));
      return;
    case "invoice-retries":
      collectInvoice(tx, demand(tx, "invoice", object));
      return;
    case "schedule-phase-ends":
      endPhase(tx, demand(tx, "subscription_schedule", object));
      return;
    default:
      fireForSubscription(tx, kind, object);
  }
}

function fireForSubscription(
  tx: Transaction,
  kind:
    | "collection-resumes"
    | "incomplete-expires"
    | "pending-update-expires"
    | "renewal-upcoming"
    | "subscription-cancels"
    | "subscription-period-ends"
    | "subscription-resumes"
    | "trial-will-end",
  id: string,
): void {
  const subscription = demand(tx, "subscription", id);
  switch (kind) {
    case "collection-resumes":
      saveSubscription(tx, subscription, { pause_collection: null });
      return;
    case "incomplete-expires":
      expireIncomplete(tx, subscription);
      return;
    case "pending-update-expires":
      dropPendingUpdate(tx, subscription);
      return;
    case "renewal-upcoming":
      announceRenewal(tx, subscription);
      return;
    case "subscription-cancels":
      cancelNow(tx, subscription, {});
      return;
    case "subscription-period-ends":
      endPeriod(tx, subscription);
      return;
    case "subscription-resumes": {
      const anchor = resumesBy(tx.store);
      if (subscription.status === "paused" && anchor !== "never") resumeSubscription(tx, anchor, id);
      return;
    }
    case "trial-will-end":
      tx.record("customer.subscription.trial_will_end", subscription);
      return;
  }
}
