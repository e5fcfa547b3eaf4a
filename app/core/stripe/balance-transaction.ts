import type { LedgerLineId, ReferralId } from "#app/core/id.ts";
import type { BalanceTransactionId, CheckoutId, InvoiceId } from "./ids.ts";

/** What a deduction was for, as far as our metadata tells. */
export type CreditDeduction = { kind: string; why: string; referralId: ReferralId | null; wantedMinor: number };

export type BalanceTransaction = {
  id: BalanceTransactionId;
  /** From the metadata that this site wrote. All three are null if another program created the transaction. */
  lineId: LedgerLineId | null;
  /** The line whose transaction deducted more than there was, if this transaction returns it. */
  returnsLineId: LedgerLineId | null;
  deduction: CreditDeduction | null;
  /** Whether Stripe created it for an invoice, or because an invoice was voided. */
  source: "invoice" | "invoice-voided" | "other";
  /** The checkout's id as long as the checkout has no invoice. */
  invoiceId: InvoiceId | CheckoutId | null;
  /** Positive if it adds credit. */
  amountMinor: number;
  /** The customer's balance after it; negative if they owe. */
  afterMinor: number;
  at: number;
};
