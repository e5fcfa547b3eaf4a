import { isDeepStrictEqual } from "node:util";
import type Stripe from "stripe";
import type { ProductConfig } from "#app/domain/product/rules.ts";
import { about, change, createOnce, say, type SetUp } from "./changes.ts";

type Wanted = {
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
 * The portal's default configuration, which the site opens: cards, and who an invoice is made out to. Plans are changed and
 * ended on the site, which knows what waits for that; orders and receipts are there too. The address belongs to the account.
 */
const wantedPortal = ({ segment }: ProductConfig, origin: string): Wanted => ({
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
  const words = "customer portal (cards, name, address, VAT ids)";
  const find = async () => (await configurations.list({ is_default: true, limit: 1 })).data[0];
  return about(words, async () => {
    const existing = await find();
    if (existing && isDeepStrictEqual(comparable(existing), wanted)) return say(setUp, "unchanged", words);
    if (existing) {
      await change(setUp, "updated", words, () => configurations.update(existing.id, wanted));
      return;
    }
    const made = await change(setUp, "created", words, () =>
      createOnce(
        wanted,
        "portal",
        (configuration, options) => configurations.create(configuration, options),
        async ({ id }) => (await configurations.list({ limit: 100 })).data.some((one) => one.id === id),
      ),
    );
    if (made && !made.is_default) {
      say(setUp, "attention", "the portal has no default settings yet: save them once in Stripe's dashboard, under");
      setUp.log("           https://dashboard.stripe.com/settings/billing/portal, and run this again");
    }
  });
}

/** What Stripe says of a configuration, as far as it is ours, in the order in which it is wanted. */
function comparable({ business_profile, default_return_url, features }: Stripe.BillingPortal.Configuration) {
  const { privacy_policy_url, terms_of_service_url } = business_profile;
  const enabledIn = ({ enabled }: { enabled: boolean }) => ({ enabled });
  return {
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
