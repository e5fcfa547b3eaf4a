import type { PaymentProvider } from "./payment-provider.ts";
import type { ProviderSettings } from "./payment-provider.server.ts";

/** The Stripe integration, whose SDK is loaded by the first call: it is 120 kB gzip, and most pages make no Stripe call. */
export function loadPaymentProvider(settings: ProviderSettings): PaymentProvider {
  return onFirstCall(async () => (await import("./payment-provider.server.ts")).openPaymentProvider(settings));
}

function onFirstCall(open: () => Promise<PaymentProvider>): PaymentProvider {
  let opened: Promise<PaymentProvider> | undefined;
  const stripe = () => (opened ??= open());
  return {
    createCustomer: async (input) => (await stripe()).createCustomer(input),
    deleteCustomer: async (customerId) => (await stripe()).deleteCustomer(customerId),
    openCheckout: async (input) => (await stripe()).openCheckout(input),
    isCheckoutOpen: async (checkoutId) => (await stripe()).isCheckoutOpen(checkoutId),
    expireCheckout: async (checkoutId) => (await stripe()).expireCheckout(checkoutId),
    expireOtherCheckouts: async (customerId, orderId) => (await stripe()).expireOtherCheckouts(customerId, orderId),
    fetchBilling: async (customerId, wanted) => (await stripe()).fetchBilling(customerId, wanted),
    changeDetails: async (customerId, details) => (await stripe()).changeDetails(customerId, details),
    previewChange: async (input) => (await stripe()).previewChange(input),
    changePlan: async (input) => (await stripe()).changePlan(input),
    findChangeBlocker: async (subscriptionId) => (await stripe()).findChangeBlocker(subscriptionId),
    scheduleChange: async (input) => (await stripe()).scheduleChange(input),
    releaseChange: async (subscriptionId) => (await stripe()).releaseChange(subscriptionId),
    changeScheduleCard: async (scheduleId, methodId) => (await stripe()).changeScheduleCard(scheduleId, methodId),
    restoreDeferredChange: async (deferred) => (await stripe()).restoreDeferredChange(deferred),
    dropDeferredChange: async (deferred) => (await stripe()).dropDeferredChange(deferred),
    payInvoice: async (invoiceId, attemptKey) => (await stripe()).payInvoice(invoiceId, attemptKey),
    finalizeInvoice: async (invoiceId) => (await stripe()).finalizeInvoice(invoiceId),
    voidInvoice: async (invoiceId) => (await stripe()).voidInvoice(invoiceId),
    labelInvoice: async (invoiceId, label) => (await stripe()).labelInvoice(invoiceId, label),
    findPayer: async (id) => (await stripe()).findPayer(id),
    findOwner: async (customerId) => (await stripe()).findOwner(customerId),
    describeCustomer: async (customerId) => (await stripe()).describeCustomer(customerId),
    nameAccount: async (customerId, accountId) => (await stripe()).nameAccount(customerId, accountId),
    findSold: async (priceId) => (await stripe()).findSold(priceId),
    changeCancellation: async (subscriptionId, cancels) => (await stripe()).changeCancellation(subscriptionId, cancels),
    endSubscription: async (subscriptionId, cause) => (await stripe()).endSubscription(subscriptionId, cause),
    endWithNotice: async (subscriptionId, noticeUntil) => (await stripe()).endWithNotice(subscriptionId, noticeUntil),
    endUnpaid: async (subscriptionId, cause) => (await stripe()).endUnpaid(subscriptionId, cause),
    changeDisputeHold: async (subscriptionId, isHeld) => (await stripe()).changeDisputeHold(subscriptionId, isHeld),
    resumeSubscription: async (subscriptionId) => (await stripe()).resumeSubscription(subscriptionId),
    isPaymentInProcess: async (subscriptionId) => (await stripe()).isPaymentInProcess(subscriptionId),
    refundRest: async (input) => (await stripe()).refundRest(input),
    refundMismatch: async (input) => (await stripe()).refundMismatch(input),
    openPortal: async (customerId, returnUrl) => (await stripe()).openPortal(customerId, returnUrl),
    listBalanceTransactions: async (customerId, currency) =>
      (await stripe()).listBalanceTransactions(customerId, currency),
    addBalanceTransaction: async (input) => (await stripe()).addBalanceTransaction(input),
    listPaidMethods: async (customerId) => (await stripe()).listPaidMethods(customerId),
    findPaidMethod: async (invoiceId) => (await stripe()).findPaidMethod(invoiceId),
    payFriendDiscount: async (input) => (await stripe()).payFriendDiscount(input),
    findFraudWarning: async (paymentId) => (await stripe()).findFraudWarning(paymentId),
    comparePrices: async (shown) => (await stripe()).comparePrices(shown),
    readEvent: async (body, signature, nowMs) => (await stripe()).readEvent(body, signature, nowMs),
    listEvents: async (after) => (await stripe()).listEvents(after),
    withOwnDeadline: (count) => onFirstCall(async () => (await stripe()).withOwnDeadline(count)),
  };
}
