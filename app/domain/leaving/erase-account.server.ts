import type { App } from "#app/context.ts";
import { accountIsErasing } from "#app/domain/accounts/leaving.store.server.ts";
import { addTombstone, changeToGone, removePeopleRows } from "#app/domain/accounts/personal-data.store.server.ts";
import { tombstoneHash } from "#app/domain/accounts/rules.ts";
import {
  forgetBrowsers,
  listKnownBrowsers,
  removeBudgets,
  removeCodes,
} from "#app/domain/codes/personal-data.store.server.ts";
import { codeBudgets } from "#app/domain/codes/rules.ts";
import { done, type Result } from "#app/domain/kernel/result.ts";
import { sealLetter } from "#app/domain/mail/deliver-mail.server.ts";
import { addMail, justChanged } from "#app/domain/mail/store.server.ts";
import { endBilling, type EndBillingRefusal } from "#app/domain/orders/end-billing.server.ts";
import { blankOrders } from "#app/domain/orders/personal-data.store.server.ts";
import { blankSubscriptions, removeCustomer } from "#app/domain/plans/personal-data.store.server.ts";
import { findCustomer } from "#app/domain/plans/store.server.ts";
import { removePreferences } from "#app/domain/product/personal-data.store.server.ts";
import { removeLink } from "#app/domain/referrals/personal-data.store.server.ts";
import { blankEntries } from "#app/domain/waitlist/personal-data.store.server.ts";
import { mailBudgets } from "#app/domain/waitlist/rules.ts";

export type Departed = { id: string; email: string; address: string };

/**
 * Erases somebody whose time to come back is over. The payment provider goes first: while it can't be told, nothing here is
 * erased, and the next run of the clock tries again. Then every room's part goes in one batch, the account's own last, each
 * statement under the same guard: killed anywhere, run twice or by two at once, it ends in the same rows. A mail that waits
 * in the outbox is not called back: it leaves or fails by itself, and is wiped then.
 */
export async function eraseAccount(
  app: Parameters<typeof endBilling>[0],
  departed: Departed,
): Promise<Result<null, EndBillingRefusal>> {
  const { db } = app;
  const { id, address } = departed;
  const ended = await endBilling(app, id);
  if (!ended.ok) return ended;
  const [customer] = await findCustomer(db, id);
  const forgotten = customer ? await app.payments?.deleteCustomer(customer.providerId) : undefined;
  if (forgotten && !forgotten.ok) return forgotten;

  const now = app.clock();
  const guard = accountIsErasing(id);
  const { addressHash, budgets } = await budgetsOf(app, address);
  const mail = await sealLetter(app, departed.email, { template: "gone" }, `${id}.gone`);
  await db.batch([
    removeLink(db, id, guard),
    blankEntries(db, address, now, guard),
    blankOrders(db, id, guard),
    blankSubscriptions(db, id, now, guard),
    removeCustomer(db, id, guard),
    removePreferences(db, id, guard),
    removeCodes(db, { accountId: id, address }, guard),
    ...removeBudgets(db, budgets, guard),
    forgetBrowsers(db, addressHash, guard),
    ...removePeopleRows(db, id, guard),
    addTombstone(db, { addressHash: await tombstoneHash(app.pepper, address), now }, guard),
    changeToGone(db, id, app.product, now),
    addMail(db, mail, justChanged),
  ]);
  return done(null);
}

/** Every name under which something of this address is counted: by itself, and in each browser that it knows. */
async function budgetsOf(app: Pick<App, "db" | "pepper">, address: string) {
  const { addressHash, stranger } = await codeBudgets(app.pepper, address, "");
  const waitlist = await mailBudgets(app.pepper, address, "");
  const browsers = await listKnownBrowsers(app.db, addressHash);
  const known = await Promise.all(
    browsers.map(async ({ browserHash }) => (await codeBudgets(app.pepper, address, browserHash)).known),
  );
  const budgets = [stranger, ...known].flatMap(({ mails, tries }) => [mails, tries]);
  return { addressHash, budgets: [...budgets, waitlist.address] };
}
