import type { PaymentProvider } from "./payment-provider.ts";

/**
 * The same provider, but `check` must pass before the first change that a user asks for. Later changes belong to a request that has begun,
 * and is completed. A new call of the provider goes into one of the three groups.
 */
export function checkFirstChange(provider: PaymentProvider, check: () => Promise<void>): PaymentProvider {
  let checked: Promise<void> | undefined;
  const change = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    checked ??= check();
    await checked;
    return call();
  };
  return {
    // Changes that a user asks for.
    createCustomer: (input) => change(() => provider.createCustomer(input)),
    deleteCustomer: (customerId) => change(() => provider.deleteCustomer(customerId)),
    openCheckout: (input) => change(() => provider.openCheckout(input)),
    expireCheckout: (checkoutId) => change(() => provider.expireCheckout(checkoutId)),
    expireOtherCheckouts: (customerId, orderId) => change(() => provider.expireOtherCheckouts(customerId, orderId)),
    changePlan: (input) => change(() => provider.changePlan(input)),
    scheduleChange: (input) => change(() => provider.scheduleChange(input)),
    releaseChange: (subscriptionId) => change(() => provider.releaseChange(subscriptionId)),
    payInvoice: (invoiceId, attemptKey) => change(() => provider.payInvoice(invoiceId, attemptKey)),
    voidInvoice: (invoiceId) => change(() => provider.voidInvoice(invoiceId)),
    changeCancellation: (subscriptionId, cancels) => change(() => provider.changeCancellation(subscriptionId, cancels)),
    endSubscription: (subscriptionId, cause) => change(() => provider.endSubscription(subscriptionId, cause)),
    endWithNotice: (subscriptionId, noticeUntil) => change(() => provider.endWithNotice(subscriptionId, noticeUntil)),
    endUnpaid: (subscriptionId, cause) => change(() => provider.endUnpaid(subscriptionId, cause)),
    openPortal: (customerId, returnUrl) => change(() => provider.openPortal(customerId, returnUrl)),
    addBalanceTransaction: (input) => change(() => provider.addBalanceTransaction(input)),

    // Upkeep that any sync does as well.
    changeDetails: (customerId, details) => provider.changeDetails(customerId, details),
    nameAccount: (customerId, accountId) => provider.nameAccount(customerId, accountId),
    changeScheduleCard: (scheduleId, methodId) => provider.changeScheduleCard(scheduleId, methodId),
    restoreDeferredChange: (deferred) => provider.restoreDeferredChange(deferred),
    dropDeferredChange: (deferred) => provider.dropDeferredChange(deferred),
    finalizeInvoice: (invoiceId) => provider.finalizeInvoice(invoiceId),
    changeDisputeHold: (subscriptionId, isHeld) => provider.changeDisputeHold(subscriptionId, isHeld),
    resumeSubscription: (subscriptionId) => provider.resumeSubscription(subscriptionId),
    labelInvoice: (invoiceId, label) => provider.labelInvoice(invoiceId, label),
    refundRest: (input) => provider.refundRest(input),
    refundMismatch: (input) => provider.refundMismatch(input),
    payFriendDiscount: (input) => provider.payFriendDiscount(input),

    // Nothing changes.
    isCheckoutOpen: (checkoutId) => provider.isCheckoutOpen(checkoutId),
    fetchBilling: (customerId, wanted) => provider.fetchBilling(customerId, wanted),
    previewChange: (input) => provider.previewChange(input),
    findChangeBlocker: (subscriptionId) => provider.findChangeBlocker(subscriptionId),
    findPayer: (id) => provider.findPayer(id),
    findOwner: (customerId) => provider.findOwner(customerId),
    describeCustomer: (customerId) => provider.describeCustomer(customerId),
    findSold: (priceId) => provider.findSold(priceId),
    isPaymentInProcess: (subscriptionId) => provider.isPaymentInProcess(subscriptionId),
    listBalanceTransactions: (customerId, currency) => provider.listBalanceTransactions(customerId, currency),
    listPaidMethods: (customerId) => provider.listPaidMethods(customerId),
    findPaidMethod: (invoiceId) => provider.findPaidMethod(invoiceId),
    findFraudWarning: (paymentId) => provider.findFraudWarning(paymentId),
    comparePrices: (shown) => provider.comparePrices(shown),
    readEvent: (body, signature, nowMs) => provider.readEvent(body, signature, nowMs),
    listEvents: (after) => provider.listEvents(after),
    // For work of its own, such as syncs after the response.
    withOwnDeadline: (count) => provider.withOwnDeadline(count),
  };
}
