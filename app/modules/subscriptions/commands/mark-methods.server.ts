import type { App, Base, PaymentAccess, Secrets } from "#app/app.ts";
import { methodMarks } from "#app/modules/accounts/customer-marks.rules.ts";
import { addMethodMarks } from "#app/modules/accounts/customer-marks.queries.server.ts";
import { isUnknownThere } from "../provider.rules.ts";
import { changeMethodsMarked, findUnmarkedCustomer, listUnmarkedCustomers } from "../queries.server.ts";

/** Customers per run of the cron job; each is a call to Stripe. */
const customersMax = 25;
/** Unanswered calls in a row after which Stripe counts as down and the run ends. */
const silencesMax = 2;

/**
 * Stores the payment-method hashes of customers older than the hashes. For all others every sync stores them. Idempotent, also when runs
 * overlap.
 */
export async function markMethods(app: Base & Secrets & PaymentAccess): Promise<void> {
  const { db, clock, pepper, payments } = app;
  if (!payments) return;
  let silences = 0;
  for (const { accountId, providerId } of await listUnmarkedCustomers(db, customersMax)) {
    if (silences === silencesMax) return;
    const paid = await payments.withOwnDeadline().listPaidMethods(providerId);
    // If the customer was deleted at Stripe, there is nothing to store.
    const isGone = !paid.ok && isUnknownThere(paid.refusal);
    silences = paid.ok || isGone ? 0 : silences + 1;
    if (!paid.ok && !isGone) continue;
    const marks = await methodMarks(pepper, paid.ok ? paid.value : []);
    await db.batch([addMethodMarks(db, accountId, marks), changeMethodsMarked(db, accountId, clock())]);
  }
}

/** Whether every customer's earlier payment methods are stored. */
export async function areMethodsMarked({ db }: Pick<App, "db">): Promise<boolean> {
  return (await findUnmarkedCustomer(db)).length === 0;
}
