import { eventRoutes } from "./events.ts";
import { billingPortalRoutes } from "./objects/billing-portal.ts";
import { chargeRoutes } from "./objects/charges.ts";
import { checkoutSessionRoutes } from "./objects/checkout-sessions.ts";
import { couponRoutes } from "./objects/coupons.ts";
import { customerBalanceRoutes } from "./objects/customer-balance.ts";
import { customerDeletionRoutes } from "./objects/customer-deletion.ts";
import { customerRoutes } from "./objects/customers.ts";
import { disputeRoutes } from "./objects/disputes.ts";
import { invoiceChangeRoutes } from "./objects/invoice-changes.ts";
import { invoiceItemRoutes } from "./objects/invoice-items.ts";
import { invoiceRoutes } from "./objects/invoices.ts";
import { paymentIntentRoutes } from "./objects/payment-intents.ts";
import { paymentMethodAttachmentRoutes } from "./objects/payment-method-attachment.ts";
import { paymentMethodRoutes } from "./objects/payment-methods.ts";
import { portalConfigurationRoutes } from "./objects/portal-configurations.ts";
import { priceRoutes } from "./objects/prices.ts";
import { productRoutes } from "./objects/products.ts";
import { refundRoutes } from "./objects/refunds.ts";
import { subscriptionRoutes } from "./objects/subscriptions.ts";
import { subscriptionScheduleRoutes } from "./objects/subscription-schedules.ts";
import { taxIdRoutes } from "./objects/tax-ids.ts";
import { taxRateRoutes } from "./objects/tax-rates.ts";
import { testClockRoutes } from "./objects/test-clocks.ts";
import { webhookEndpointRoutes } from "./objects/webhook-endpoints.ts";
import type { Route } from "./routing.ts";

/** The implemented part of Stripe's API. */
const ROUTES: readonly Route[] = [
  ...billingPortalRoutes,
  ...chargeRoutes,
  ...checkoutSessionRoutes,
  ...couponRoutes,
  ...customerBalanceRoutes,
  ...customerDeletionRoutes,
  ...customerRoutes,
  ...disputeRoutes,
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
  ...refundRoutes,
  ...subscriptionRoutes,
  ...subscriptionScheduleRoutes,
  ...taxIdRoutes,
  ...taxRateRoutes,
  ...testClockRoutes,
  ...webhookEndpointRoutes,
];

export function matchRoute(method: string, path: string): (Route & { ids: string[] }) | null {
  for (const route of ROUTES) {
    const found = route.method === method ? route.pattern.exec(path) : null;
    if (found !== null) return { ...route, ids: found.slice(1).map(decodeURIComponent) };
  }
  return null;
}
