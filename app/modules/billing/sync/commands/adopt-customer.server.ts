import type { CustomerId } from "#app/core/stripe/ids.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { comparesCustomers } from "#app/modules/catalogue/rules.ts";
import {
  addCustomer,
  findCustomer,
  findCustomerByProviderId,
} from "#app/modules/billing/subscriptions/queries.server.ts";

/**
 * Adds the customer of an event from Stripe's list if the database doesn't know it, after a restore or because a Worker was killed. The
 * customer belongs to the account that Stripe names, unless that account is erased or has another customer. Delivered events don't ask
 * Stripe, since another shop may share the account there.
 */
export async function adoptCustomer(
  { db, clock, product, payments }: Pick<App, "db" | "clock" | "product" | "payments">,
  providerId: CustomerId,
): Promise<void> {
  const [known] = await findCustomerByProviderId(db, providerId);
  if (known || !payments) return;
  const owner = await payments.findOwner(providerId);
  // If Stripe doesn't answer, the next event asks again.
  if (!owner.ok || owner.value === null) return;
  const { accounts, customers } = await batchNamed(db, {
    accounts: findAccount(db, owner.value),
    customers: findCustomer(db, owner.value),
  });
  const isFree = accounts.some(({ state }) => state !== "erased") && customers.length === 0;
  if (!isFree) return;
  const areMethodsHashed = comparesCustomers(product);
  await addCustomer(db, { accountId: owner.value, providerId, areMethodsHashed, now: clock() });
}
