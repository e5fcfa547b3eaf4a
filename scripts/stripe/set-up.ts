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
  /** Opened with the key that the Worker is to get, if that isn't the set-up's. */
  workerStripe?: Stripe;
  /** Takes over what carries another product's name, because the product was called that before. */
  isRenamed?: boolean;
  /** The Worker has no signing secret, or gets another key. An existing endpoint is replaced, since Stripe says its secret only once. */
  needsSecret?: boolean;
  /** Stores the signing secret of a new endpoint at once, since what comes after it may fail. */
  keepSecret?: (webhookSecret: string) => Promise<void>;
};

/**
 * Sets up the catalogue, the webhook endpoint and the customer portal, then checks payment methods and lists what only the dashboard can
 * set. Safe to repeat and to run concurrently.
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

/** Without its secret the endpoint is of no use. Once it is removed, the next run creates it again and stores the new secret. */
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
