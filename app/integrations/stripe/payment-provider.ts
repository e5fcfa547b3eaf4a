import type { BalanceTransaction, CreditDeduction } from "#app/core/stripe/balance-transaction.ts";
import type {
  CheckoutId,
  CustomerId,
  EventId,
  InvoiceId,
  PaymentIntentId,
  PaymentMethodId,
  PriceId,
  RefundId,
  ScheduleId,
  SubscriptionId,
} from "#app/core/stripe/ids.ts";
import type { EndCause } from "#app/core/stripe/states.ts";
import type { Interval } from "#app/core/time/interval.ts";
import type { LedgerLineId, ReferralId, AccountId, OrderId } from "#app/core/id.ts";
import type { Result } from "#app/core/result.ts";
import type { ProviderRefusal } from "#app/core/stripe/provider-refusal.ts";
import type { ChangeQuote, ChangeInput } from "./subscriptions/changes.ts";
import type { CheckoutInput } from "./payments/checkout.ts";
import { type ListedEvent, type ProviderEvent } from "./events.ts";
import type { InvoiceLabel } from "./payments/invoices.ts";
import type { MismatchInput, ProviderRefund, RestInput } from "./payments/charges.ts";
import type { Checkout } from "./read-checkout.ts";
import type { Cancels } from "./subscriptions/cancellation.ts";
import type { ChangeBlocker } from "./subscriptions/pending-updates.ts";
import type { Sold } from "./fields.ts";
import type { ShownPrice } from "./prices.ts";
import type { Billing, BillingParts } from "./billing.ts";

export type PaymentProvider = {
  /** `instead` is a deleted customer to replace: for a day, Stripe would answer with that one under the same idempotency key. */
  createCustomer(input: {
    accountId: AccountId;
    email: string;
    /** At the foot of Stripe's own invoices. */
    invoiceFooter: string;
    instead: CustomerId | null;
  }): Promise<Result<CustomerId, ProviderRefusal>>;
  /** Deletes a customer at Stripe and ends their subscriptions. Does nothing for one that is already deleted. */
  deleteCustomer(customerId: CustomerId): Promise<Result<null, ProviderRefusal>>;
  openCheckout(input: CheckoutInput): Promise<Result<Checkout, ProviderRefusal>>;
  /** Whether the checkout can still be paid. An earlier response may have been lost. */
  isCheckoutOpen(checkoutId: CheckoutId): Promise<Result<boolean, ProviderRefusal>>;
  /** Expires an open checkout. Returns `complete` if the customer completed it first. */
  expireCheckout(checkoutId: CheckoutId): Promise<Result<"ended" | "complete", ProviderRefusal>>;
  /** Expires a customer's open checkouts except one order's, so that two can't be paid. */
  expireOtherCheckouts(customerId: CustomerId, orderId: OrderId): Promise<Result<null, ProviderRefusal>>;
  /** Everything a sync needs about one customer, in parallel calls. Without `wanted`, includes every checkout. */
  fetchBilling(customerId: CustomerId, wanted?: BillingParts): Promise<Result<Billing, ProviderRefusal>>;
  /** Changes the address that Stripe writes to, and the foot of its own invoices. */
  changeDetails(
    customerId: CustomerId,
    details: { email: string; invoiceFooter: string },
  ): Promise<Result<null, ProviderRefusal>>;
  /** What a change of plan would cost now. Refused with Stripe's code where it can't be calculated. */
  previewChange(input: ChangeInput): Promise<Result<ChangeQuote, ProviderRefusal>>;
  /** Charges for a change of plan, which takes effect once that is paid. Refused with `change-blocked`: see `findChangeBlocker`. */
  changePlan(
    input: ChangeInput & { orderId: OrderId },
  ): Promise<Result<{ invoiceId: InvoiceId | null }, ProviderRefusal>>;
  /** Why a change can't be charged now. Null if it can. */
  findChangeBlocker(subscriptionId: SubscriptionId): Promise<Result<ChangeBlocker | null, ProviderRefusal>>;
  /** Schedules another price for the next period. */
  scheduleChange(input: Omit<ChangeInput, "prorationAt">): Promise<Result<null, ProviderRefusal>>;
  releaseChange(subscriptionId: SubscriptionId): Promise<Result<null, ProviderRefusal>>;
  /** The card to use when a schedule's next phase begins. */
  changeScheduleCard(scheduleId: ScheduleId, methodId: PaymentMethodId): Promise<Result<null, ProviderRefusal>>;
  /** Restores a change that was deferred for one that isn't paid, at its price. Returns false if the customer has chosen something else since. */
  restoreDeferredChange(deferred: {
    subscriptionId: SubscriptionId;
    orderId: OrderId;
    planId: string;
    interval: Interval;
    priceId: PriceId;
  }): Promise<Result<boolean, ProviderRefusal>>;
  /** Discards a change that was deferred for one that is paid. */
  dropDeferredChange(deferred: {
    subscriptionId: SubscriptionId;
    orderId: OrderId;
  }): Promise<Result<null, ProviderRefusal>>;
  /** Holds the collection of a subscription while one of its payments is disputed, or collects again. Invoices of that time are void. */
  changeDisputeHold(subscriptionId: SubscriptionId, isHeld: boolean): Promise<Result<null, ProviderRefusal>>;
  /** Tries to collect an open invoice now, once per `attemptKey`: the newest known attempt, or the new card. */
  payInvoice(invoiceId: InvoiceId, attemptKey: string): Promise<Result<null, ProviderRefusal>>;
  /** Finalizes a draft that Stripe would leave as it is, and collects it from then on. Does nothing if the invoice is no longer a draft. */
  finalizeInvoice(invoiceId: InvoiceId): Promise<Result<null, ProviderRefusal>>;
  /** Voids the invoice so that it can't be paid any more. Returns `paid` if it was paid first. */
  voidInvoice(invoiceId: InvoiceId): Promise<Result<"void" | "paid", ProviderRefusal>>;
  /** Writes our names for an order to its invoice's metadata. */
  labelInvoice(invoiceId: InvoiceId, label: InvoiceLabel): Promise<Result<null, ProviderRefusal>>;
  /** The customer of a payment, charge, refund or dispute. Null if it isn't ours. Events about disputes name no customer. */
  findPayer(id: string): Promise<Result<CustomerId | null, ProviderRefusal>>;
  /** The account that a customer was created for. Null if the customer isn't ours, or was deleted at Stripe. */
  findOwner(customerId: CustomerId): Promise<Result<AccountId | null, ProviderRefusal>>;
  /** A customer that may have been created elsewhere, with what it pays for. Null if it was deleted. */
  describeCustomer(customerId: CustomerId): Promise<Result<DescribedCustomer | null, ProviderRefusal>>;
  /** Writes the account to a customer that was created in the dashboard, as `createCustomer` does. */
  nameAccount(customerId: CustomerId, accountId: AccountId): Promise<Result<null, ProviderRefusal>>;
  /** What a price is or was for, archived ones included. Null if the price isn't ours. */
  findSold(priceId: PriceId): Promise<Result<Sold | null, ProviderRefusal>>;
  /** Makes a subscription end with its period or with notice, or renew. Returns when it ends according to Stripe, or null if it renews. */
  changeCancellation(subscriptionId: SubscriptionId, cancels: Cancels): Promise<Result<number | null, ProviderRefusal>>;
  /** Ends a subscription immediately; one that has already ended is unchanged. Returns when it ended, in milliseconds. */
  endSubscription(subscriptionId: SubscriptionId, cause?: EndCause): Promise<Result<number, ProviderRefusal>>;
  /** The same for one that could be ended with notice: what was paid for the time after `noticeUntil` is refunded. */
  endWithNotice(subscriptionId: SubscriptionId, noticeUntil: number): Promise<Result<number, ProviderRefusal>>;
  /** The same, but it also voids what is owed. Invoices whose payment is processing stay: a bank debit can't be called back. */
  endUnpaid(subscriptionId: SubscriptionId, cause?: EndCause): Promise<Result<number, ProviderRefusal>>;
  /** Resumes a paused subscription in the period that it was paused in: nothing is charged before the next one. */
  resumeSubscription(subscriptionId: SubscriptionId): Promise<Result<null, ProviderRefusal>>;
  /** Whether a payment for one of a subscription's open invoices is processing. */
  isPaymentInProcess(subscriptionId: SubscriptionId): Promise<Result<boolean, ProviderRefusal>>;
  /** Sends back what is left of a contract that was undone. */
  refundRest(input: RestInput): Promise<Result<ProviderRefund, ProviderRefusal>>;
  /** Sends back a payment that wasn't what was asked for. */
  refundMismatch(input: MismatchInput): Promise<Result<ProviderRefund, ProviderRefusal>>;
  /** What a bank reported about a payment as fraud. Null if it reported nothing. */
  findFraudWarning(paymentId: PaymentIntentId): Promise<Result<ProviderFraudWarning | null, ProviderRefusal>>;
  openPortal(customerId: CustomerId, returnUrl: string): Promise<Result<string, ProviderRefusal>>;
  /** All transactions on a customer's credit balance, oldest first. */
  listBalanceTransactions(
    customerId: CustomerId,
    currency: string,
  ): Promise<Result<BalanceTransaction[], ProviderRefusal>>;
  /** Gives or takes credit, once per idempotency key. */
  addBalanceTransaction(input: CreditInput): Promise<Result<null, ProviderRefusal>>;
  /** All of a customer's payments, with the fingerprint of the card or bank account. The fingerprint is null if the method has none. */
  listPaidMethods(
    customerId: CustomerId,
  ): Promise<Result<{ fingerprint: string | null; paidAt: number }[], ProviderRefusal>>;
  /** The fingerprint of the method that paid an invoice. Null if the method has none that tells it from others. */
  findPaidMethod(invoiceId: InvoiceId): Promise<Result<string | null, ProviderRefusal>>;
  /** Refunds a friend's discount to the payment method, once. Returns the refund's id. */
  payFriendDiscount(input: DiscountInput): Promise<Result<RefundId, ProviderRefusal>>;
  /** A sentence for each that Stripe lacks or has otherwise. It begins with the price's lookup key. */
  comparePrices(shown: readonly ShownPrice[]): Promise<Result<string[], ProviderRefusal>>;
  readEvent(body: string, signature: string, nowMs: number): Promise<ProviderEvent | null>;
  /** Events after a given one, oldest first; without one the newest. Refused when Stripe no longer has that event. */
  listEvents(after: EventId | null): Promise<Result<{ events: ListedEvent[]; hasMore: boolean }, ProviderRefusal>>;
  /** The same provider with a deadline of its own, for each account that the cron job checks. `count` is called at each call to Stripe. */
  withOwnDeadline(count?: () => void): PaymentProvider;
};

/** What a bank reported about a payment, and the invoice that it paid. */
export type ProviderFraudWarning = { fraudType: string; warnedAt: number; invoiceId: InvoiceId | null };

/** `isNamed`: it names an account. `plans` are those of its subscriptions that haven't ended, null for other products. */
type DescribedCustomer = { email: string | null; isNamed: boolean; plans: (string | null)[] };

export type CreditInput = {
  customerId: CustomerId;
  currency: string;
  /** The idempotency key under which it happens once. */
  key: string;
  lineId: LedgerLineId | null;
  returnsLineId?: LedgerLineId;
  deduction?: CreditDeduction;
  amountMinor: number;
};

/** `attempt` identifies one decision to pay: a declined attempt is repeated under a new id, a lost response under the same. */
export type DiscountInput = {
  invoiceId: InvoiceId;
  referralId: ReferralId;
  attempt: string;
  amountMinor: number;
};
