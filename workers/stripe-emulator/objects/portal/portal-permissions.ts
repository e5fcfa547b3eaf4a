import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { demand } from "../demand.ts";

export interface PortalPermissions {
  hasCards: boolean;
  hasDetails: boolean;
  hasTaxIds: boolean;
}

/** What the session's configuration lets a customer do, as it is now. */
export function permissionsOf(tx: Transaction, session: Stripe.BillingPortal.Session): PortalPermissions {
  const id = typeof session.configuration === "string" ? session.configuration : session.configuration.id;
  const { customer_update, payment_method_update } = demand(tx, "billing_portal_configuration", id).features;
  const allows = (name: string): boolean =>
    customer_update.enabled && customer_update.allowed_updates.some((allowed) => allowed === name);
  return {
    hasCards: payment_method_update.enabled,
    hasDetails: allows("name") && allows("address"),
    hasTaxIds: allows("tax_id"),
  };
}
