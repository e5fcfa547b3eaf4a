import { pauseSubscription } from "../actions/subscriptions/pause-subscription.ts";
import { resumeSubscription } from "../actions/subscriptions/resume-subscription.ts";
import { changeSubscription } from "../actions/subscriptions/change-subscription.ts";
import { settleDebit } from "../actions/payments/checkout.ts";
import { settleInvoiceDebit } from "../actions/payments/collect-invoice.ts";
import { closeDispute, openDispute } from "../actions/payments/dispute.ts";
import { refundCharge } from "../actions/payments/refund-charge.ts";
import type { Transaction } from "../transaction.ts";
import { SECONDS_PER_DAY } from "../time/billing-times.ts";
import type {
  CancelCommand,
  CardCommand,
  DebitCommand,
  DisputeCommand,
  HoldCommand,
  PauseCommand,
  RefundCommand,
  WarningCommand,
} from "./control-commands.ts";
import { readForm } from "../http/form.ts";
import { parseFormParams } from "../http/form-params.ts";
import { parseAmount } from "../money/money.ts";
import { warnOfFraud } from "../objects/payments/early-fraud-warnings.ts";
import { disputeOf } from "../objects/payments/dispute-shape.ts";
import { demand } from "../objects/demand.ts";
import { saveSubscription } from "../objects/subscriptions/subscription-shape.ts";
import { readSubscriptionChange } from "../objects/subscriptions/subscription-forms.ts";
import { renewCard } from "../objects/payments/payment-methods.ts";
import { chargeOfOrder, purposeOf } from "../money/order-charges.ts";
import { invalid } from "../http/stripe-errors.ts";

/** Refunds an order as an operator does in Stripe's dashboard. */
export function refundOrder(tx: Transaction, { order, amountMinor, amount }: RefundCommand): object {
  const charge = chargeOfOrder(tx, order);
  const typed = amount === null ? null : parseAmount(amount, charge.currency);
  if (amount !== null && typed === null)
    throw invalid(`"${amount}" is no amount in ${charge.currency.toUpperCase()}.`, { param: "amount" });
  const {
    id,
    status,
    amount: refunded,
  } = refundCharge(tx, charge, {
    amount: amountMinor ?? typed ?? undefined,
    reason: "requested_by_customer",
    metadata: {},
  });
  return { refund: { id, status, amount: refunded, charge: charge.id } };
}

/** Opens a dispute, decides it, or both, as a bank does. */
export function disputeOrder(tx: Transaction, { order, amountMinor, outcome }: DisputeCommand): object {
  const charge = chargeOfOrder(tx, order);
  const opened = (outcome === null ? null : disputeOf(tx, charge)) ?? openDispute(tx, charge, amountMinor);
  // A bank debit's dispute is lost automatically.
  const isDecided = outcome === null || opened.status === outcome;
  const { id, status, amount } = isDecided ? opened : closeDispute(tx, opened, outcome);
  return { dispute: { id, status, amount, charge: charge.id } };
}

/** Warns of fraud with an order, as the bank that issued the card does. */
export function warnOfOrder(tx: Transaction, { order, fraudType }: WarningCommand): object {
  const { id, charge, fraud_type } = warnOfFraud(tx, chargeOfOrder(tx, order), fraudType);
  return { warning: { id, charge, fraud_type } };
}

/** Ends the debit of a checkout or of a renewal, as a bank does days later. */
export function endDebit(tx: Transaction, { order, outcome }: DebitCommand): object {
  const charge = chargeOfOrder(tx, order);
  const end = outcome === "paid" ? "succeeds" : "fails";
  const { invoice, session } = purposeOf(tx, charge);
  if (charge.status !== "pending" || invoice === null) throw invalid("No bank debit is under way for this order.");
  if (session === null) settleInvoiceDebit(tx, invoice, end);
  else settleDebit(tx, session, end);
  const { id, status } = demand(tx, "charge", charge.id);
  return { charge: { id, status } };
}

/** Pauses collection as a team does in Stripe's dashboard: invoices created during the pause are void. */
export function holdCharges(tx: Transaction, { subscription, held }: HoldCommand): object {
  const { id, status } = saveSubscription(tx, demand(tx, "subscription", subscription), {
    pause_collection: held === "yes" ? { behavior: "void", resumes_at: null } : null,
  });
  tx.clock.clearTimer("collection-resumes", id);
  return { subscription: { id, status } };
}

/** Pauses a plan for one of Stripe's reasons, or resumes it as a team does in the dashboard: a new period begins and is charged. */
export function pausePlan(tx: Transaction, { subscription, paused, cause }: PauseCommand): object {
  const found = demand(tx, "subscription", subscription);
  if (paused === "yes" && found.status !== "active" && found.status !== "past_due" && found.status !== "trialing")
    throw invalid(`A subscription that is ${found.status} can't be paused.`);
  const { id, status } =
    paused === "yes" ? pauseSubscription(tx, found, cause) : resumeSubscription(tx, "now", found.id);
  return { subscription: { id, status } };
}

/** Cancels as a team does in Stripe's dashboard, which sets a date and no flag. */
export function cancelPlan(tx: Transaction, { subscription, cancels, inDays }: CancelCommand): object {
  const date = inDays === null ? "min_period_end" : tx.clock.now() + Math.round(inDays * SECONDS_PER_DAY);
  const params = parseFormParams(`cancel_at=${cancels === "yes" ? date : ""}`);
  const { id, cancel_at } = changeSubscription(tx, readForm(params, readSubscriptionChange), subscription);
  return { subscription: { id, cancel_at } };
}

/** Renews a card as the card networks do when a bank issues a new one: the customer doesn't have to type anything. */
export function renewCardOf(tx: Transaction, { order, expires }: CardCommand): object {
  const charge = chargeOfOrder(tx, order);
  const { id, card } = renewCard(tx, demand(tx, "payment_method", charge.payment_method ?? ""), expires);
  return { card: { id, expMonth: card?.exp_month, expYear: card?.exp_year } };
}
