import type { Result } from "#app/core/result.ts";
import type { ProviderRefusal } from "./ask.ts";
import type { ChangeQuote, ChangeInput } from "./changes.ts";
import type { CheckoutInput } from "./checkout.ts";
import { type ListedEvent, type ProviderEvent } from "./events.ts";
import type { InvoiceLabel } from "./invoices.ts";
import type { ProviderRefund, RestInput } from "./money-back.ts";
import type { Checkout } from "./objects.ts";
import type { ChangeBlocker } from "./pending-updates.ts";
import type { Sold } from "./fields.ts";
import type { Billing, BillingParts } from "./billing.ts";

export type PaymentProvider = {
  /** `instead`: of a customer that was deleted, under whose key the provider would go on answering with it for a day. */
  createCustomer(input: {
    accountId: string;
    email: string;
    instead: string | null;
  }): Promise<Result<string, ProviderRefusal>>;
  /** Has the provider forget a customer, and ends what still runs. One that is gone already stays so. */
  deleteCustomer(customerId: string): Promise<Result<null, ProviderRefusal>>;
  openCheckout(input: CheckoutInput): Promise<Result<Checkout, ProviderRefusal>>;
  /** Can it still be paid? What was told of it may have been lost. */
  isCheckoutOpen(checkoutId: string): Promise<Result<boolean, ProviderRefusal>>;
  /** Ends an open checkout. `complete`: somebody was faster and went through with it. */
  expireCheckout(checkoutId: string): Promise<Result<"ended" | "complete", ProviderRefusal>>;
  /** Ends whatever a customer has open beside one order: nobody can pay for two. */
  expireOtherCheckouts(customerId: string, orderId: string): Promise<Result<null, ProviderRefusal>>;
  /** All that a sync needs to know of one customer, in calls side by side. Without `wanted` with every checkout. */
  fetchBilling(customerId: string, wanted?: BillingParts): Promise<Result<Billing, ProviderRefusal>>;
  /** The provider writes there from now on. */
  changeEmail(customerId: string, email: string): Promise<Result<null, ProviderRefusal>>;
  /** What a change of plan would cost now. Refused with the provider's code where it can't be reckoned. */
  previewChange(input: ChangeInput): Promise<Result<ChangeQuote, ProviderRefusal>>;
  /** Charges for a change of plan, which happens once that is paid. Refused with `change-blocked`: see `findChangeBlocker`. */
  changePlan(input: ChangeInput & { orderId: string }): Promise<Result<{ invoiceId: string | null }, ProviderRefusal>>;
  /** Why a change can't be charged now; null: it can. */
  findChangeBlocker(subscriptionId: string): Promise<Result<ChangeBlocker | null, ProviderRefusal>>;
  /** Has another price begin with the next period. */
  planChange(input: Omit<ChangeInput, "prorationAt">): Promise<Result<null, ProviderRefusal>>;
  releaseChange(subscriptionId: string): Promise<Result<null, ProviderRefusal>>;
  /** The card that counts when a schedule's next phase begins. */
  changeScheduleCard(scheduleId: string, methodId: string): Promise<Result<null, ProviderRefusal>>;
  /** Plans again what gave way to a change that isn't paid. False: something else was chosen since. */
  bringBack(aside: {
    subscriptionId: string;
    orderId: string;
    priceKey: string;
  }): Promise<Result<boolean, ProviderRefusal>>;
  /** Forgets what gave way to a change that is paid. */
  dropAside(aside: { subscriptionId: string; orderId: string }): Promise<Result<null, ProviderRefusal>>;
  /** Tries to collect an open invoice now, once per `cause`: the newest attempt that is known, or the new card. */
  payInvoice(invoiceId: string, cause: string): Promise<Result<null, ProviderRefusal>>;
  /** Nobody can pay it any more. `paid`: somebody was faster. */
  voidInvoice(invoiceId: string): Promise<Result<"void" | "paid", ProviderRefusal>>;
  /** Writes our names for an order on its invoice. */
  labelInvoice(invoiceId: string, label: InvoiceLabel): Promise<Result<null, ProviderRefusal>>;
  /** The customer of a payment, charge, refund or dispute; null: nobody we could know. Events about disputes name no customer. */
  findPayer(id: string): Promise<Result<string | null, ProviderRefusal>>;
  /** What a price is or was for, archived ones too; null: none of ours. */
  findSold(priceId: string): Promise<Result<Sold | null, ProviderRefusal>>;
  /** Has a subscription end with its period, or renew. Answers when it ends by the provider's own word; null: it renews. */
  changeCancellation(subscriptionId: string, cancels: boolean): Promise<Result<number | null, ProviderRefusal>>;
  /** Ends a subscription at once. One that has ended already stays so. Answers when it ended, in milliseconds. */
  endSubscription(subscriptionId: string): Promise<Result<number, ProviderRefusal>>;
  /** The same, and voids what it owes, except for invoices whose payment is processing: a bank debit can't be called back. */
  endUnpaid(subscriptionId: string): Promise<Result<number, ProviderRefusal>>;
  /** Whether a payment for one of a subscription's open invoices is processing. */
  isPaymentInProcess(subscriptionId: string): Promise<Result<boolean, ProviderRefusal>>;
  /** Sends back what is left of a contract that was undone. */
  refundRest(input: RestInput): Promise<Result<ProviderRefund, ProviderRefusal>>;
  openPortal(customerId: string, returnUrl: string): Promise<Result<string, ProviderRefusal>>;
  /** Every movement of a customer's credit, oldest first. */
  listCreditMoves(customerId: string, currency: string): Promise<Result<CreditMove[], ProviderRefusal>>;
  /** Gives credit, or takes it, once under its key. */
  moveCredit(input: CreditInput): Promise<Result<null, ProviderRefusal>>;
  /** Every payment of a customer's, with the fingerprint of the card or bank account; null: it has none. */
  listPaidMethods(
    customerId: string,
  ): Promise<Result<{ fingerprint: string | null; paidAt: number }[], ProviderRefusal>>;
  /** Where an invoice is shown, good for some days; null: nowhere. */
  findInvoicePage(invoiceId: string): Promise<Result<string | null, ProviderRefusal>>;
  /** The fingerprint of the method by which an invoice was paid; null: it has none that would tell it from others. */
  findPaidMethod(invoiceId: string): Promise<Result<string | null, ProviderRefusal>>;
  /** Sends a friend's discount back to the method that paid, once. Answers the refund's id. */
  payFriendDiscount(input: DiscountInput): Promise<Result<string, ProviderRefusal>>;
  hasPrices(priceKeys: string[]): Promise<boolean>;
  readEvent(body: string, signature: string, nowMs: number): Promise<ProviderEvent | null>;
  /** Events that came after one of them, oldest first; without one the newest that there are. Refused when that one is forgotten. */
  listEvents(after: string | null): Promise<Result<{ events: ListedEvent[]; hasMore: boolean }, ProviderRefusal>>;
  /** The same provider with the whole deadline before it: for each account that the clock looks at. */
  withOwnDeadline(): PaymentProvider;
};

/** What a movement was for, as far as we said so when we made it. */
export type CreditTaking = { kind: string; why: string; referralId: string | null; wantedMinor: number };

/** One movement of a customer's balance: `amountMinor` above zero gives credit, `afterMinor` below zero is owed. */
export type CreditMove = {
  id: string;
  lineId: string | null;
  backFor: string | null;
  taking: CreditTaking | null;
  cause: "invoice" | "invoice-given-up" | "other";
  /** Or the checkout's id, while that has no invoice. */
  invoiceId: string | null;
  amountMinor: number;
  afterMinor: number;
  at: number;
};

export type CreditInput = {
  customerId: string;
  currency: string;
  /** Under which it happens once. */
  key: string;
  lineId: string | null;
  backFor?: string;
  taking?: CreditTaking;
  amountMinor: number;
};

/** `attempt` names one decision to pay: a refused try is repeated under another name, a lost answer under the same. */
export type DiscountInput = {
  invoiceId: string;
  referralId: string;
  attempt: string;
  amountMinor: number;
};
