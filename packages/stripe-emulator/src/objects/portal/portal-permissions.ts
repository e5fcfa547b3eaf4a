import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { demand, idOf } from "../demand.ts";

export interface PortalPermissions {
  hasCards: boolean;
  hasDetails: boolean;
  hasTaxIds: boolean;
  hasCancel: boolean;
  hasUpdate: boolean;
}

export const featuresOf = (
  tx: Transaction,
  { configuration }: Stripe.BillingPortal.Session,
): Stripe.BillingPortal.Configuration["features"] =>
  demand(tx, "billing_portal_configuration", idOf(configuration)).features;

/** What the session's configuration lets a customer do, as it is now. */
export function permissionsOf(tx: Transaction, session: Stripe.BillingPortal.Session): PortalPermissions {
  const { customer_update, payment_method_update, subscription_cancel, subscription_update } = featuresOf(tx, session);
  const allows = (name: string): boolean =>
    customer_update.enabled && customer_update.allowed_updates.some((allowed) => allowed === name);
  return {
    hasCards: payment_method_update.enabled,
    hasDetails: allows("name") && allows("address"),
    hasTaxIds: allows("tax_id"),
    hasCancel: subscription_cancel.enabled,
    hasUpdate: subscription_update.enabled,
  };
}
