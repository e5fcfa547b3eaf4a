import type Stripe from "stripe";
import type { Books } from "../../books.ts";
import { differences } from "../../objects/customers/customers.ts";
import { disputeMovement, disputeOf, newDispute } from "../../objects/payments/dispute-shape.ts";
import { idOf } from "../../objects/find.ts";
import { invalid } from "../../http/stripe-errors.ts";

const SECONDS_PER_DAY = 86_400;
/** The usual deadline that Stripe sets for a response; the card networks' own deadlines differ. */
const ANSWER_DAYS = 7;
/** The longest that a bank takes to decide on the evidence. */
const REVIEW_DAYS = 75;
/** Stripe's test values: evidence with this text is decided immediately. */
const DECIDING_WORDS: Record<string, "won" | "lost"> = { winning_evidence: "won", losing_evidence: "lost" };

/**
 * The bank takes the money back at its customer's request. A card's dispute can be answered; a bank debit's can't, as in SEPA,
 * and is lost immediately.
 */
export function openDispute(books: Books, charge: Stripe.Charge, amountMinor: number | null): Stripe.Dispute {
  if (charge.status !== "succeeded") throw invalid(`Charge ${charge.id} hasn't succeeded; nobody can dispute it.`);
  if (disputeOf(books, charge) !== null) throw invalid(`Charge ${charge.id} is disputed already.`);
  if (charge.refunded) throw invalid(`Charge ${charge.id} has been refunded; nobody can dispute it.`);
  const left = charge.amount - charge.amount_refunded;
  if (amountMinor !== null && (amountMinor < 1 || amountMinor > left)) {
    throw invalid(`amountMinor must be from 1 to ${left}: that is left of the charge.`, { param: "amountMinor" });
  }
  const isCard = charge.payment_method_details?.type === "card";
  const dueBy = isCard ? books.clock.now() + ANSWER_DAYS * SECONDS_PER_DAY : null;
  const dispute = newDispute(books, charge, { amount: amountMinor ?? left, dueBy });
  books.store.put("charge", { ...charge, disputed: true });
  books.store.put("dispute", dispute, charge.customer === null ? null : idOf(charge.customer));
  books.record("charge.dispute.created", dispute);
  books.record("charge.dispute.funds_withdrawn", dispute);
  if (dueBy === null) return closeDispute(books, dispute, "lost");
  books.clock.setTimer("dispute-moves", dispute.id, dueBy);
  return dispute;
}

export function submitEvidence(
  books: Books,
  dispute: Stripe.Dispute,
  evidence: Partial<Stripe.Dispute.Evidence>,
): Stripe.Dispute {
  requireOpen(dispute);
  const submitted = saveDispute(books, dispute, {
    evidence: { ...dispute.evidence, ...evidence },
    evidence_details: {
      ...dispute.evidence_details,
      has_evidence: true,
      submission_count: dispute.evidence_details.submission_count + 1,
      submission_method: "manual",
    },
    status: "under_review",
  });
  const decided = DECIDING_WORDS[submitted.evidence.uncategorized_text ?? ""];
  if (decided !== undefined) return closeDispute(books, submitted, decided);
  books.clock.setTimer("dispute-moves", dispute.id, books.clock.now() + REVIEW_DAYS * SECONDS_PER_DAY);
  return submitted;
}

/** The deadline passed without a response, or the bank wasn't convinced. */
export function runOutOfTime(books: Books, dispute: Stripe.Dispute): void {
  const isLate = dispute.status === "needs_response";
  closeDispute(books, { ...dispute, evidence_details: { ...dispute.evidence_details, past_due: isLate } }, "lost");
}

export function closeDispute(books: Books, dispute: Stripe.Dispute, outcome: "won" | "lost"): Stripe.Dispute {
  requireOpen(dispute);
  books.clock.clearTimer("dispute-moves", dispute.id);
  const closed: Stripe.Dispute = {
    ...dispute,
    balance_transactions:
      outcome === "won"
        ? [...dispute.balance_transactions, disputeMovement(books, dispute, dispute.amount)]
        : dispute.balance_transactions,
    is_charge_refundable: outcome === "won",
    status: outcome,
  };
  books.store.put("dispute", closed);
  books.record("charge.dispute.closed", closed, differences(dispute, closed));
  if (outcome === "won") books.record("charge.dispute.funds_reinstated", closed);
  return closed;
}

export function saveDispute(books: Books, before: Stripe.Dispute, changes: Partial<Stripe.Dispute>): Stripe.Dispute {
  const after: Stripe.Dispute = { ...before, ...changes };
  books.store.put("dispute", after);
  books.record("charge.dispute.updated", after, differences(before, after));
  return after;
}

function requireOpen(dispute: Stripe.Dispute): void {
  if (dispute.status === "won" || dispute.status === "lost") throw invalid("This dispute is already closed.");
}
