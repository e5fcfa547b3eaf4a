import type { CustomerId } from "#app/core/stripe/ids.ts";
import { invariant } from "#app/core/invariant.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { done, type Result } from "#app/core/result.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { comparesCustomers } from "#app/modules/catalogue/rules.ts";
import { stripeInvoiceFooter } from "#app/modules/billing/subscriptions/commands/sync-customer-details.server.ts";
import { addCustomer, findCustomer, replaceCustomer } from "#app/modules/billing/subscriptions/queries.server.ts";

type Deps = Pick<App, "db" | "clock" | "product" | "origin"> & { payments: NonNullable<App["payments"]> };

/** `isNew` means that the customer was stored just now and can't have anything open at Stripe. */
export type Ensured = { customerId: CustomerId; isNew: boolean };

/**
 * Finds or creates an account's one Stripe customer: Stripe answers the same idempotency key with the same customer, and the table keeps
 * the first. `instead` is a customer that was deleted at Stripe and is replaced.
 */
export async function ensureCustomer(
  { db, clock, product, origin, payments }: Deps,
  account: Account,
  instead: CustomerId | null = null,
): Promise<Result<Ensured, ProviderFailure>> {
  const [known] = await findCustomer(db, account.id);
  if (known && known.providerId !== instead) return done({ customerId: known.providerId, isNew: false });
  const invoiceFooter = stripeInvoiceFooter({ product, origin });
  const created = await payments.createCustomer({
    accountId: account.id,
    email: account.email,
    invoiceFooter,
    instead,
  });
  if (!created.ok) return created;
  const {
    added,
    customer: [stored],
  } = await batchNamed(db, {
    replaceCustomer: replaceCustomer(db, account.id, { instead, providerId: created.value }),
    added: addCustomer(db, {
      accountId: account.id,
      providerId: created.value,
      areMethodsHashed: comparesCustomers(product),
      now: clock(),
    }),
    customer: findCustomer(db, account.id),
  });
  invariant(stored, "A customer was stored but isn't there");
  return done({ customerId: stored.providerId, isNew: added.length > 0 && stored.providerId === created.value });
}
