import type { App, Base, PaymentAccess, Secrets } from "#app/app.ts";
import { methodHashesOf } from "#app/modules/accounts/customer-hashes.rules.ts";
import { addMethodHashes } from "#app/modules/accounts/customer-hashes.queries.server.ts";
import { isUnknownThere } from "#app/modules/subscriptions/provider.rules.ts";
import {
  changeMethodsHashed,
  findUnhashedCustomer,
  listUnhashedCustomers,
} from "#app/modules/subscriptions/queries.server.ts";

/** Customers per run of the cron job; each is a call to Stripe. */
const customersMax = 25;
/** Unanswered calls in a row after which Stripe counts as down and the run ends. */
const timeoutsMax = 2;

/**
 * Stores the payment-method hashes of customers older than the hashes. For all others every sync stores them. Idempotent, also when runs
 * overlap.
 */
export async function hashMethods(app: Base & Secrets & PaymentAccess): Promise<void> {
  const { db, clock, pepper, payments } = app;
  if (!payments) return;
  let timeouts = 0;
  for (const { accountId, providerId } of await listUnhashedCustomers(db, customersMax)) {
    if (timeouts === timeoutsMax) return;
    const paid = await payments.withOwnDeadline().listPaidMethods(providerId);
    // If the customer was deleted at Stripe, there is nothing to store.
    const isGone = !paid.ok && isUnknownThere(paid.refusal);
    timeouts = paid.ok || isGone ? 0 : timeouts + 1;
    if (!paid.ok && !isGone) continue;
    const marks = await methodHashesOf(pepper, paid.ok ? paid.value : []);
    await db.batch([addMethodHashes(db, accountId, marks), changeMethodsHashed(db, accountId, clock())]);
  }
}

/** Whether every customer's earlier payment methods are stored. */
export async function areMethodsHashed({ db }: Pick<App, "db">): Promise<boolean> {
  return (await findUnhashedCustomer(db)).length === 0;
}
