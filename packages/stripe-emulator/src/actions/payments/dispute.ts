import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { differences } from "../../objects/customers/customers.ts";
import { disputeMovement, disputeOf, newDispute } from "../../objects/payments/dispute-shape.ts";
import { idOf } from "../../objects/demand.ts";
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
export function openDispute(tx: Transaction, charge: Stripe.Charge, amountMinor: number | null): Stripe.Dispute {
  if (charge.status !== "succeeded") throw invalid(`Charge ${charge.id} hasn't succeeded; nobody can dispute it.`);
  if (disputeOf(tx, charge) !== null) throw invalid(`Charge ${charge.id} is disputed already.`);
  if (charge.refunded) throw invalid(`Charge ${charge.id} has been refunded; nobody can dispute it.`);
  const left = charge.amount - charge.amount_refunded;
  if (amountMinor !== null && (amountMinor < 1 || amountMinor > left)) {
    throw invalid(`amountMinor must be from 1 to ${left}: that is left of the charge.`, { param: "amountMinor" });
  }
  const isCard = charge.payment_method_details?.type === "card";
  const dueBy = isCard ? tx.clock.now() + ANSWER_DAYS * SECONDS_PER_DAY : null;
  const dispute = newDispute(tx, charge, { amount: amountMinor ?? left, dueBy });
  tx.store.put("charge", { ...charge, disputed: true });
  tx.store.put("dispute", dispute, charge.customer === null ? null : idOf(charge.customer));
  tx.record("charge.dispute.created", dispute);
  tx.record("charge.dispute.funds_withdrawn", dispute);
  if (dueBy === null) return closeDispute(tx, dispute, "lost");
  tx.clock.setTimer("dispute-moves", dispute.id, dueBy);
  return dispute;
}

export function submitEvidence(
  tx: Transaction,
  dispute: Stripe.Dispute,
  evidence: Partial<Stripe.Dispute.Evidence>,
): Stripe.Dispute {
  requireOpen(dispute);
  const submitted = saveDispute(tx, dispute, {
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
  if (decided !== undefined) return closeDispute(tx, submitted, decided);
  tx.clock.setTimer("dispute-moves", dispute.id, tx.clock.now() + REVIEW_DAYS * SECONDS_PER_DAY);
  return submitted;
}

/** The deadline passed without a response, or the bank wasn't convinced. */
export function runOutOfTime(tx: Transaction, dispute: Stripe.Dispute): void {
  const isLate = dispute.status === "needs_response";
  closeDispute(tx, { ...dispute, evidence_details: { ...dispute.evidence_details, past_due: isLate } }, "lost");
}

export function closeDispute(tx: Transaction, dispute: Stripe.Dispute, outcome: "won" | "lost"): Stripe.Dispute {
  requireOpen(dispute);
  tx.clock.clearTimer("dispute-moves", dispute.id);
  const closed: Stripe.Dispute = {
    ...dispute,
    balance_transactions:
      outcome === "won"
        ? [...dispute.balance_transactions, disputeMovement(tx, dispute, dispute.amount)]
        : dispute.balance_transactions,
    is_charge_refundable: outcome === "won",
    status: outcome,
  };
  tx.store.put("dispute", closed);
  tx.record("charge.dispute.closed", closed, differences(dispute, closed));
  if (outcome === "won") tx.record("charge.dispute.funds_reinstated", closed);
  return closed;
}

export function saveDispute(tx: Transaction, before: Stripe.Dispute, changes: Partial<Stripe.Dispute>): Stripe.Dispute {
  const after: Stripe.Dispute = { ...before, ...changes };
  tx.store.put("dispute", after);
  tx.record("charge.dispute.updated", after, differences(before, after));
  return after;
}

function requireOpen(dispute: Stripe.Dispute): void {
  if (dispute.status === "won" || dispute.status === "lost") throw invalid("This dispute is already closed.");
}
