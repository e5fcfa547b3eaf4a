import type { Books } from "../books.ts";
import type { Timer } from "../time/clock.ts";
import { demand } from "../objects/find.ts";
import { saveSubscription } from "../objects/subscriptions/subscription-shape.ts";
import { cancelNow } from "./subscriptions/cancel-subscription.ts";
import { expireSession, progressOf, settleDebit } from "./payments/checkout.ts";
import { collectInvoice, settleInvoiceDebit } from "./payments/collect-invoice.ts";
import { runOutOfTime } from "./payments/dispute-charge.ts";
import { dropPendingUpdate } from "./subscriptions/drop-pending-update.ts";
import { expireIncomplete } from "./subscriptions/expire-incomplete.ts";
import { announceRenewal } from "./payments/preview-invoice.ts";
import { settleRefund } from "./payments/refund-charge.ts";
import { advanceDraft, endPeriod } from "./subscriptions/renew-subscription.ts";
import { endPhase } from "./subscriptions/run-schedule.ts";

/** Everything that the clock alone triggers. */
export function fireTimer(books: Books, timer: Timer): void {
  const { kind, object } = timer;
  switch (kind) {
    case "session-expires":
      expireSession(books, demand(books, "checkout_session", object));
      return;
    case "bank-debit-settles": {
      const session = demand(books, "checkout_session", object);
      settleDebit(books, session, progressOf(books, session).bank_debit_end ?? "succeeds");
      return;
    }
    case "refund-settles":
      settleRefund(books, demand(books, "refund", object));
      return;
    case "dispute-moves":
      runOutOfTime(books, demand(books, "dispute", object));
      return;
    case "invoice-debit-settles":
      settleInvoiceDebit(books, demand(books, "invoice", object), "succeeds");
      return;
    case "invoice-finalizes":
      advanceDraft(books, demand(books, "invoice", object));
      return;
    case "invoice-retries":
      collectInvoice(books, demand(books, "invoice", object));
      return;
    case "schedule-phase-ends":
      endPhase(books, demand(books, "subscription_schedule", object));
      return;
    default:
      fireForSubscription(books, kind, object);
  }
}

function fireForSubscription(
  books: Books,
  kind:
    | "collection-resumes"
    | "incomplete-expires"
    | "pending-update-expires"
    | "renewal-upcoming"
    | "subscription-cancels"
    | "subscription-period-ends"
    | "trial-will-end",
  id: string,
): void {
  const subscription = demand(books, "subscription", id);
  switch (kind) {
    case "collection-resumes":
      saveSubscription(books, subscription, { pause_collection: null });
      return;
    case "incomplete-expires":
      expireIncomplete(books, subscription);
      return;
    case "pending-update-expires":
      dropPendingUpdate(books, subscription);
      return;
    case "renewal-upcoming":
      announceRenewal(books, subscription);
      return;
    case "subscription-cancels":
      cancelNow(books, subscription, {});
      return;
    case "subscription-period-ends":
      endPeriod(books, subscription);
      return;
    case "trial-will-end":
      books.record("customer.subscription.trial_will_end", subscription);
      return;
  }
}
