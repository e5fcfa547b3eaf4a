import type { App, Base, PaymentAccess, Secrets } from "#app/app.ts";
import { pollEach } from "#app/core/stripe/poll-each.ts";
import { methodHashesOf } from "#app/modules/accounts/customer-hashes.rules.ts";
import { addMethodHashes } from "#app/modules/accounts/customer-hashes.queries.server.ts";
import { isMissing } from "#app/core/stripe/provider-refusal.ts";
import { changeMethodsHashed } from "../queries.server.ts";
import { findUnhashedCustomer, listUnhashedCustomers } from "../everyone.queries.server.ts";

/** Customers per run of the cron job; each is a call to Stripe. */
const customersMax = 25;

/**
 * Stores the payment-method hashes of customers older than the hashes. For all others every sync stores them. Idempotent, also when runs
 * overlap.
 */
export async function hashMethods(app: Base & Secrets & PaymentAccess & Pick<App, "report">): Promise<void> {
  const { db, clock, pepper, payments } = app;
  if (!payments) return;
  const customers = await listUnhashedCustomers(db, customersMax);
  const hash = async ({ accountId, providerId }: (typeof customers)[number]) => {
    const paid = await payments.withOwnDeadline().listPaidMethods(providerId);
    // If the customer was deleted at Stripe, there is nothing to store.
    if (!paid.ok && !isMissing(paid.refusal)) return false;
    const hashes = await methodHashesOf(pepper, paid.ok ? paid.value : []);
    await db.batch([addMethodHashes(db, accountId, hashes), changeMethodsHashed(db, accountId, clock())]);
    return true;
  };
  await pollEach(customers, hash, app.report);
}

/** Whether every customer's earlier payment methods are stored. */
export async function areMethodsHashed({ db }: Pick<App, "db">): Promise<boolean> {
  return (await findUnhashedCustomer(db)).length === 0;
}
