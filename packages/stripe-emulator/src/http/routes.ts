import { eventRoutes } from "../events/events.ts";
import { balanceTransactionRoutes } from "../objects/payments/balance-transactions.ts";
import { billingPortalRoutes } from "../objects/portal/billing-portal.ts";
import { chargeRoutes } from "../objects/payments/charges.ts";
import { checkoutSessionRoutes } from "../objects/checkout/checkout-sessions.ts";
import { couponRoutes } from "../objects/catalogue/coupons.ts";
import { creditNoteRoutes } from "../objects/invoices/credit-notes.ts";
import { customerBalanceRoutes } from "../objects/customers/customer-balance.ts";
import { customerDeletionRoutes } from "../objects/customers/customer-deletion.ts";
import { earlyFraudWarningRoutes } from "../objects/payments/early-fraud-warnings.ts";
import { customerRoutes } from "../objects/customers/customers.ts";
import { disputeRoutes } from "../objects/payments/disputes.ts";
import { invoiceChangeRoutes } from "../objects/invoices/invoice-changes.ts";
import { invoiceItemRoutes } from "../objects/invoices/invoice-items.ts";
import { invoiceRoutes } from "../objects/invoices/invoices.ts";
import { paymentIntentRoutes } from "../objects/payments/payment-intents.ts";
import { paymentMethodAttachmentRoutes } from "../objects/payments/payment-method-attachment.ts";
import { paymentMethodRoutes } from "../objects/payments/payment-methods.ts";
import { portalConfigurationRoutes } from "../objects/portal/portal-configurations.ts";
import { priceRoutes } from "../objects/catalogue/prices.ts";
import { productRoutes } from "../objects/catalogue/products.ts";
import { promotionCodeRoutes } from "../objects/catalogue/promotion-codes.ts";
import { refundRoutes } from "../objects/payments/refunds.ts";
import { subscriptionRoutes } from "../objects/subscriptions/subscriptions.ts";
import { subscriptionScheduleRoutes } from "../objects/subscriptions/subscription-schedules.ts";
import { taxIdRoutes } from "../objects/customers/tax-ids.ts";
import { taxRateRoutes } from "../objects/invoices/tax-rates.ts";
import { testClockRoutes } from "../objects/subscriptions/test-clocks.ts";
import { paymentMethodConfigurationRoutes } from "../objects/payment-method-configurations.ts";
import { webhookEndpointRoutes } from "../objects/webhook-endpoints.ts";
import type { Route } from "./routing.ts";

/** The implemented part of Stripe's API. */
const ROUTES: readonly Route[] = [
  ...balanceTransactionRoutes,
  ...billingPortalRoutes,
  ...chargeRoutes,
  ...checkoutSessionRoutes,
  ...couponRoutes,
  ...creditNoteRoutes,
  ...customerBalanceRoutes,
  ...customerDeletionRoutes,
  ...customerRoutes,
  ...disputeRoutes,
  ...earlyFraudWarningRoutes,
  ...eventRoutes,
  ...invoiceItemRoutes,
  ...invoiceRoutes,
  // After `/v1/invoices/create_preview`, which isn't the id of an invoice.
  ...invoiceChangeRoutes,
  ...paymentIntentRoutes,
  ...paymentMethodAttachmentRoutes,
  ...paymentMethodRoutes,
  ...portalConfigurationRoutes,
  ...priceRoutes,
  ...productRoutes,
  ...promotionCodeRoutes,
  ...refundRoutes,
  ...subscriptionRoutes,
  ...subscriptionScheduleRoutes,
  ...taxIdRoutes,
  ...taxRateRoutes,
  ...testClockRoutes,
  ...paymentMethodConfigurationRoutes,
  ...webhookEndpointRoutes,
];

export function matchRoute(method: string, path: string): (Route & { ids: string[] }) | null {
  for (const route of ROUTES) {
    const found = route.method === method ? route.pattern.exec(path) : null;
    if (found !== null) return { ...route, ids: found.slice(1).map(decodeURIComponent) };
  }
  return null;
}
