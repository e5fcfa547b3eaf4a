import type { LedgerLineId, ReferralId } from "#app/core/id.ts";
import type { BalanceTransactionId, CheckoutId, InvoiceId } from "./ids.ts";

/** What a deduction was for, as far as our metadata says so. */
export type CreditDeduction = { kind: string; why: string; referralId: ReferralId | null; wantedMinor: number };

/** A transaction on Stripe's customer balance. */
export type BalanceTransaction = {
  id: BalanceTransactionId;
  /** The metadata that this site wrote; all null if it didn't create the transaction. */
  lineId: LedgerLineId | null;
  /** The line whose transaction deducted more than there was. */
  returnsLineId: LedgerLineId | null;
  deduction: CreditDeduction | null;
  /** Created for an invoice, or because an invoice was voided. */
  source: "invoice" | "invoice-voided" | "other";
  /** Or the checkout's id, while that has no invoice. */
  invoiceId: InvoiceId | CheckoutId | null;
  /** Positive if it adds credit. */
  amountMinor: number;
  /** The customer's balance after it; negative if they owe. */
  afterMinor: number;
  at: number;
};
