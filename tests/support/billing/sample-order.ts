import type { Order } from "#app/modules/billing/orders/rules.ts";
import { minor, small } from "./catalogue.ts";

/** A paid order, with the fields that a test cares about. */
export function sampleOrder(facts: Partial<Order>): Order {
  return {
    id: "ord_0123456789abcdefghjkmnpqrs",
    accountId: "acc_0123456789abcdefghjkmnpqrs",
    state: "paid",
    dispute: "none",
    kind: "new-plan",
    planId: small.id,
    interval: "month",
    currency: "EUR",
    amountMinor: minor(small),
    taxMinor: 0,
    discountMinor: 0,
    creditMinor: 0,
    creditReturnedMinor: 0,
    refundedMinor: 0,
    friendDiscountMinor: 0,
    numberYear: 2026,
    numberInYear: 41,
    checkoutId: null,
    checkoutUrl: null,
    invoiceId: null,
    receiptUrl: null,
    failure: null,
    attempts: 0,
    nextTryAt: null,
    prorationAt: null,
    disputeDueAt: null,
    createdAt: Date.UTC(2026, 10, 20, 12),
    expiresAt: null,
    paidAt: Date.UTC(2026, 10, 20, 12, 1),
    buyerTimeZone: null,
    isUnconfirmed: false,
    unconfirmedUntil: null,
    ...facts,
  };
}
