import { isDeepStrictEqual } from "node:util";
import type Stripe from "stripe";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { portalOrigin } from "#app/integrations/stripe/payments/portal.ts";
import { about, change, createOnce, say, type SetUp } from "./changes.ts";

type Wanted = {
  metadata: { [portalOrigin]: string };
  business_profile: { privacy_policy_url: string; terms_of_service_url: string };
  default_return_url: string;
  features: {
    customer_update: { enabled: true; allowed_updates: ("address" | "name" | "tax_id")[] };
    invoice_history: { enabled: false };
    payment_method_update: { enabled: true };
    subscription_cancel: { enabled: false };
    subscription_update: { enabled: false };
  };
};

/**
 * The portal's configuration, which the site finds by its own origin and opens by id: one created by API is never the
 * account's default. It allows changing cards and billing details. Plans are changed and
 * ended on the site, which knows their pending changes; orders and receipts are there too. The email address belongs to the account.
 */
const wantedPortal = ({ segment }: ProductConfig, origin: string): Wanted => ({
  metadata: { [portalOrigin]: origin },
  business_profile: { privacy_policy_url: `${origin}/legal/privacy`, terms_of_service_url: `${origin}/legal/terms` },
  default_return_url: `${origin}/settings/${segment}/plan`,
  features: {
    customer_update: { enabled: true, allowed_updates: ["address", "name", "tax_id"] },
    invoice_history: { enabled: false },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: false },
    subscription_update: { enabled: false },
  },
});

export function setUpPortal(setUp: SetUp, product: ProductConfig, origin: string): Promise<void> {
  const { configurations } = setUp.stripe.billingPortal;
  const wanted = wantedPortal(product, origin);
  const label = "customer portal (cards, name, address, VAT ids)";
  return about(label, async () => {
    const [existing] = await listPortals(setUp.stripe, origin);
    if (existing && isDeepStrictEqual(comparable(existing), wanted)) return say(setUp, "unchanged", label);
    if (existing) {
      await change(setUp, "updated", label, () => configurations.update(existing.id, wanted));
      return;
    }
    await change(setUp, "created", label, () =>
      createOnce(
        wanted,
        "portal",
        (configuration, options) => configurations.create(configuration, options),
        async ({ id }) => (await configurations.retrieve(id)).active,
      ),
    );
  });
}

/** A site's active configurations: those with its origin in their metadata. */
export async function listPortals(stripe: Stripe, origin: string) {
  const own: Stripe.BillingPortal.Configuration[] = [];
  for await (const one of stripe.billingPortal.configurations.list({ active: true, limit: 100 }))
    if (one.metadata?.[portalOrigin] === origin) own.push(one);
  return own;
}

/** Stripe's values of a configuration, limited to our fields, in the order of the wanted ones. */
function comparable({ metadata, business_profile, default_return_url, features }: Stripe.BillingPortal.Configuration) {
  const { privacy_policy_url, terms_of_service_url } = business_profile;
  const enabledIn = ({ enabled }: { enabled: boolean }) => ({ enabled });
  return {
    metadata: { [portalOrigin]: metadata?.[portalOrigin] },
    business_profile: { privacy_policy_url, terms_of_service_url },
    default_return_url,
    features: {
      customer_update: {
        enabled: features.customer_update.enabled,
        allowed_updates: features.customer_update.allowed_updates.toSorted(),
      },
      invoice_history: enabledIn(features.invoice_history),
      payment_method_update: enabledIn(features.payment_method_update),
      subscription_cancel: enabledIn(features.subscription_cancel),
      subscription_update: enabledIn(features.subscription_update),
    },
  };
}
