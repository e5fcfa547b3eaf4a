import type { ChargeId, CustomerId, PaymentIntentId, RefundId, SubscriptionId } from "#app/core/stripe/ids.ts";
import { invariant } from "#app/core/invariant.ts";
import type Stripe from "stripe";
import type { DisputeState, RefundState } from "#app/core/stripe/states.ts";
import type { OrderId } from "#app/core/id.ts";
import { type Connection, underKey } from "./checkout.ts";
import { isOtherAmount, requestRefund } from "./request-refund.ts";
import { wholeList } from "#app/integrations/stripe/lists.ts";
import { idOf, maybeMs, ms } from "#app/integrations/stripe/fields.ts";

export type ProviderCharge = {
  id: ChargeId;
  paymentId: PaymentIntentId | null;
  /** Identifies a card or bank account across customers; null for failed attempts, wallets, and methods without one. */
  fingerprint: string | null;
  /** A card's brand or another payment method; null for a failed attempt. */
  paidBy: { method: string; last4: string | null } | null;
  amountMinor: number;
  refundedMinor: number;
  refunds: ProviderRefund[];
  disputes: {
    id: string;
    amountMinor: number;
    state: DisputeState;
    createdAt: number;
    /** By when the dispute has to be answered. Null if the bank takes no answer. */
    dueAt: number | null;
  }[];
  createdAt: number;
};

export type ProviderRefund = {
  id: RefundId;
  amountMinor: number;
  state: RefundState;
  /** Whether it pays a friend's discount, rather than returning money for something that isn't wanted any more. */
  isFriendDiscount: boolean;
  /** Of a payment that wasn't what was asked for. */
  isOfMismatch: boolean;
  /** The subscription whose contract was undone, where the site itself sent what was left of it. */
  restOf: SubscriptionId | null;
  createdAt: number;
};

/** `sentBefore`: how many such refunds of the charge were known when this one was decided. */
export type RestInput = {
  chargeId: ChargeId;
  amountMinor: number;
  subscriptionId: SubscriptionId;
  sentBefore: number;
  key: string;
};

/**
 * A call with the same key returns the same refund, also if it asks for another amount because something was refunded in between. If Stripe
 * refused the first one, the next key is used.
 */
export async function refundRest(connection: Connection, input: RestInput): Promise<ProviderRefund> {
  const { chargeId: charge, amountMinor: amount, subscriptionId, sentBefore, key } = input;
  requireRefundable(amount);
  const metadata = { purpose: restPurpose, subscription: subscriptionId };
  for (let refusals = 0; ; refusals += 1) {
    try {
      const idempotencyKey = refusals === 0 ? `rest:${key}` : `rest:${key}:refused-${refusals}`;
      return readRefund(await requestRefund(connection, { charge, amount, metadata }, idempotencyKey));
    } catch (error) {
      if (!isOtherAmount(error) || refusals === refusalsMax) throw error;
      const made = await connection.stripe.refunds.list({ charge, limit: 100 }, connection.within());
      const sent = made.data.map(readRefund).filter(({ restOf }) => restOf !== null);
      const [newest] = sent;
      if (newest && sent.length > sentBefore) return newest;
    }
  }
}

/** Refunds of other amounts that Stripe refused within the day for which it stores an idempotency key. */
const refusalsMax = 5;

const restPurpose = "rest-of-contract";

export type MismatchInput = { chargeId: ChargeId; amountMinor: number; orderId: OrderId };

/** The same charge once more is the same refund. */
export async function refundMismatch(
  connection: Connection,
  { chargeId: charge, amountMinor: amount, orderId: order }: MismatchInput,
): Promise<ProviderRefund> {
  requireRefundable(amount);
  const metadata = { purpose: mismatchPurpose, order };
  return underKey(`mismatch:${charge}:${amount}`, async (idempotencyKey) =>
    readRefund(await requestRefund(connection, { charge, amount, metadata }, idempotencyKey)),
  );
}

const mismatchPurpose = "mismatch";

/** Stripe refunds a charge in full when it gets no amount. */
export function requireRefundable(amountMinor: number): void {
  invariant(Number.isSafeInteger(amountMinor) && amountMinor > 0, `Not an amount to refund: ${amountMinor}`);
}

/** Every charge of a customer, failed ones included. */
export async function fetchCharges(connection: Connection, customer: CustomerId): Promise<ProviderCharge[]> {
  const { stripe, within } = connection;
  const charges = await wholeList((page) =>
    stripe.charges.list({ customer, expand: ["data.refunds"], ...page }, within()),
  );
  return readCharges(connection, charges);
}

/** Charges with their refunds in them; of those that a bank disputes, the disputes as well. */
export function readCharges(connection: Connection, charges: Stripe.Charge[]): Promise<ProviderCharge[]> {
  const { stripe, within } = connection;
  return Promise.all(
    charges.map(async (charge) => {
      const [refunds, disputes] = await Promise.all([
        refundsOf(connection, charge),
        charge.disputed ? stripe.disputes.list({ charge: charge.id, limit: 10 }, within()) : null,
      ]);
      return readCharge(charge, refunds, disputes?.data ?? []);
    }),
  );
}

/** A charge contains its ten newest refunds. */
async function refundsOf({ stripe, within }: Connection, { id, refunds }: Stripe.Charge): Promise<Stripe.Refund[]> {
  if (!refunds?.has_more) return refunds?.data ?? [];
  return wholeList((page) => stripe.refunds.list({ charge: id, ...page }, within()));
}

function readCharge(charge: Stripe.Charge, refunds: Stripe.Refund[], disputes: Stripe.Dispute[]): ProviderCharge {
  return {
    id: idOf(charge),
    paymentId: idOf(charge.payment_intent),
    fingerprint: charge.paid ? readFingerprint(charge.payment_method_details) : null,
    paidBy: charge.paid ? readMethod(charge.payment_method_details) : null,
    amountMinor: charge.amount,
    refundedMinor: charge.amount_refunded,
    refunds: refunds.map(readRefund),
    disputes: disputes.map(({ id, amount, status, created, evidence_details: { due_by: dueBy } }) => ({
      id,
      amountMinor: amount,
      state: disputeState(status),
      createdAt: ms(created),
      // Stripe also writes 0 for none.
      dueAt: maybeMs(dueBy),
    })),
    createdAt: ms(charge.created),
  };
}

function readRefund(refund: Stripe.Refund): ProviderRefund {
  const { amount, status, metadata, created } = refund;
  return {
    id: idOf(refund),
    amountMinor: amount,
    state: refundState(status),
    isFriendDiscount: metadata?.purpose === friendDiscountPurpose,
    isOfMismatch: metadata?.purpose === mismatchPurpose,
    restOf: metadata?.purpose === restPurpose ? idOf<"subscription">(metadata.subscription) : null,
    createdAt: ms(created),
  };
}

/** Until Stripe reports an end, the money is on its way. */
function refundState(status: Stripe.Refund["status"]): RefundState {
  if (status === "canceled") return "failed";
  return status === "failed" || status === "succeeded" ? status : "pending";
}

function readMethod(details: Stripe.Charge["payment_method_details"]): ProviderCharge["paidBy"] {
  if (!details) return null;
  const { card, sepa_debit: debit } = details;
  return { method: card?.brand ?? details.type, last4: card?.last4 ?? debit?.last4 ?? null };
}

/** An inquiry (`warning_…`) asks like a dispute and takes no money; closed, it is as if it had been won. */
function disputeState(status: Stripe.Dispute.Status): DisputeState {
  switch (status) {
    case "needs_response":
    case "warning_needs_response":
    case "appeal_needs_response":
      return "needs-response";
    case "under_review":
    case "warning_under_review":
    case "appeal_under_review":
      return "under-review";
    case "won":
    case "warning_closed":
    case "prevented":
      return "won";
    case "lost":
      return "lost";
    default:
      throw new Error(`Stripe sent the unknown dispute status "${status}"`);
  }
}

/** The value in a refund's metadata that distinguishes a friend's discount from other refunds. */
export const friendDiscountPurpose = "friend-discount";

/**
 * Every method for which Stripe publishes one; Link and most wallets have none. A card in a wallet (Apple Pay, Google Pay) counts as
 * having none: Stripe may give the fingerprint of the wallet's own number for it, another one on every device.
 */
export function readFingerprint(details: Stripe.Charge["payment_method_details"]): string | null {
  if (!details) return null;
  const banks = [details.sepa_debit, details.us_bank_account, details.bacs_debit, details.au_becs_debit];
  const methods = [details.card, ...banks, details.acss_debit, details.ach_debit, details.stripe_account];
  const others = [details.card_present, details.interac_present, details.swish, details.upi];
  return [...methods, ...others].map(readOwn).find((fingerprint) => fingerprint !== null) ?? null;
}

function readOwn(method: object | undefined): string | null {
  const isInWallet = method && "wallet" in method && method.wallet !== null && method.wallet !== undefined;
  return method && !isInWallet && "fingerprint" in method && typeof method.fingerprint === "string"
    ? method.fingerprint
    : null;
}
