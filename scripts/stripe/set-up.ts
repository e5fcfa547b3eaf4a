import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { listSettingsByHand } from "./by-hand.ts";
import type Stripe from "stripe";
import { refuseOtherAccount, refuseOtherProducts, setUpCatalogue } from "./catalogue.ts";
import type { SetUp } from "./changes.ts";
import { checkPaymentMethods } from "./payment-methods.ts";
import { setUpPortal } from "./portal.ts";
import { StoreError } from "./refusals.ts";
import { type NewEndpoint, removeReplaced, setUpWebhook } from "./webhook.ts";

export { API_VERSION } from "./webhook.ts";

type Wanted = SetUp & {
  product: ProductConfig;
  origin: string;
  /** With the key that the Worker is to get, if it isn't that of the set-up. */
  workerStripe?: Stripe;
  /** Takes over what carries another product's name: the product was called so. */
  isRenamed?: boolean;
  /** The Worker has no signing secret, or gets another key: an endpoint that is there already is replaced, for Stripe says its secret once. */
  needsSecret?: boolean;
  /** Stores the signing secret of a new endpoint at once: what comes after it may fail. */
  keepSecret?: (webhookSecret: string) => Promise<void>;
};

/**
 * Catalogue, webhook endpoint and customer portal, then payment methods, and what only the dashboard can set. Safe to repeat and to run
 * concurrently.
 */
export async function setUpStripe(wanted: Wanted): Promise<void> {
  const { product, origin, workerStripe, isRenamed = false, needsSecret, keepSecret, ...setUp } = wanted;
  await refuseOtherProducts(setUp, product, isRenamed);
  await setUpCatalogue(setUp, product);
  if (workerStripe) await refuseOtherAccount(setUp, workerStripe, product);
  const made = await setUpWebhook(setUp, origin, needsSecret);
  if (made !== null && keepSecret) await keepOrRemove(setUp, made, keepSecret);
  if (made?.replaces) await removeReplaced(setUp, made.replaces);
  await setUpPortal(setUp, product, origin);
  await checkPaymentMethods(setUp);
  listSettingsByHand(setUp);
}

/** Without its secret the endpoint is of no use: removed, it is made again by the next run, whose secret is then stored. */
async function keepOrRemove(
  { stripe }: SetUp,
  { id, secret }: NewEndpoint,
  keepSecret: (webhookSecret: string) => Promise<void>,
): Promise<void> {
  try {
    await keepSecret(secret);
  } catch (error) {
    const isRemoved = await stripe.webhookEndpoints.del(id).then(
      () => true,
      () => false,
    );
    throw new StoreError(id, isRemoved, error);
  }
}
