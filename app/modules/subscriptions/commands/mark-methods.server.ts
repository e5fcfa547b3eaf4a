import type { App, Base, PaymentAccess, Secrets } from "#app/app.ts";
import { methodMarks } from "#app/modules/accounts/customer-marks.rules.ts";
import { addMethodMarks } from "#app/modules/accounts/customer-marks.queries.server.ts";
import { isUnknownThere } from "../provider.rules.ts";
import { changeMethodsMarked, findUnmarkedCustomer, listUnmarkedCustomers } from "../queries.server.ts";

/** Customers in one run of the cron job; each is a call to Stripe. */
const customersMax = 25;
/** Unanswered calls in a row after which Stripe counts as down and the run ends. */
const silencesMax = 2;

/**
 * Notes by which methods those have paid who were customers before there were marks. Everybody else's are noted by each settlement. Run
 * twice or by many at once it ends in the same rows.
 */
export async function markMethods(app: Base & Secrets & PaymentAccess): Promise<void> {
  const { db, clock, pepper, payments } = app;
  if (!payments) return;
  let silences = 0;
  for (const { accountId, providerId } of await listUnmarkedCustomers(db, customersMax)) {
    if (silences === silencesMax) return;
    const paid = await payments.withOwnDeadline().listPaidMethods(providerId);
    // Only where there is no such customer any more, there is nothing to be noted.
    const isGone = !paid.ok && isUnknownThere(paid.refusal);
    silences = paid.ok || isGone ? 0 : silences + 1;
    if (!paid.ok && !isGone) continue;
    const marks = await methodMarks(pepper, paid.ok ? paid.value : []);
    await db.batch([addMethodMarks(db, accountId, marks), changeMethodsMarked(db, accountId, clock())]);
  }
}

/** Whose every method of before is, is known. */
export async function areMethodsMarked({ db }: Pick<App, "db">): Promise<boolean> {
  return (await findUnmarkedCustomer(db)).length === 0;
}
