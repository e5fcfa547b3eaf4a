import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { listSettingsByHand } from "./by-hand.ts";
import { setUpCatalogue } from "./catalogue.ts";
import type { SetUp } from "./changes.ts";
import { setUpPortal } from "./portal.ts";
import { setUpWebhook } from "./webhook.ts";

export { API_VERSION } from "./webhook.ts";

/** Catalogue, webhook endpoint and customer portal, then what only the dashboard can set. Safe to repeat and to run concurrently. */
export async function setUpStripe({
  product,
  origin,
  ...setUp
}: SetUp & { product: ProductConfig; origin: string }): Promise<void> {
  await setUpCatalogue(setUp, product);
  await setUpWebhook(setUp, origin);
  await setUpPortal(setUp, product, origin);
  listSettingsByHand(setUp);
}
