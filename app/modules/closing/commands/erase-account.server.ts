import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { sql } from "drizzle-orm";
import { openFormerAddress } from "#app/modules/accounts/former-addresses.rules.ts";
import { listFormerAddresses } from "#app/modules/accounts/former-addresses.queries.server.ts";
import { accountIsErasing } from "#app/modules/accounts/closed-accounts.queries.server.ts";
import {
  addDeletedAddresses,
  changeToGone,
  removePeopleRows,
} from "#app/modules/accounts/personal-data.queries.server.ts";
import { domainHash, ownDomainOf } from "#app/modules/accounts/customer-hashes.rules.ts";
import { deletedAddressHash } from "#app/modules/accounts/rules.ts";
import {
  removeBrowsers,
  listKnownBrowsers,
  removeQuotas,
  removeCodes,
} from "#app/modules/accounts/codes/personal-data.queries.server.ts";
import { declarationNamesOf } from "#app/modules/accounts/codes/declaration-quotas.rules.ts";
import { quotaNamesOf } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { codeQuotas } from "#app/modules/accounts/codes/rules.ts";
import { removeUsage } from "#app/modules/billing/usage/personal-data.queries.server.ts";
import { mailboxOf } from "#app/core/text/email-address.ts";
import { done, type Result } from "#app/core/result.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { eraseServiceReports } from "#app/modules/email/personal-data.queries.server.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { endBilling, type EndBillingRefusal } from "#app/modules/billing/sync/commands/end-billing.server.ts";
import { eraseCancellations } from "#app/modules/billing/cancellations/personal-data.queries.server.ts";
import { hasPaid } from "#app/modules/billing/orders/states.queries.server.ts";
import { eraseDocuments } from "#app/modules/billing/documents/personal-data.queries.server.ts";
import { eraseOrders, eraseWithdrawals } from "#app/modules/billing/orders/personal-data.queries.server.ts";
import { eraseSubscriptions, removeCustomer } from "#app/modules/billing/subscriptions/personal-data.queries.server.ts";
import { comparesCustomers } from "#app/modules/catalogue/rules.ts";
import { findCustomer } from "#app/modules/billing/subscriptions/queries.server.ts";
import { endLedger } from "#app/modules/billing/credit/personal-data.queries.server.ts";
import { endReferrals, removeLink } from "#app/modules/referrals/personal-data.queries.server.ts";

export type Departed = { id: AccountId; email: string; address: string };

type Deps = Parameters<typeof endBilling>[0];
/** Names under which data is stored, and until when that data was this account's: a former address may now belong to another account. */
type Owned = Parameters<typeof removeBrowsers>[1];

/**
 * Erases an account that can't be restored any more. Stripe goes first: while it can't be reached nothing is erased, and the next run of
 * the cron job retries. Then one batch runs every module's part, the account's own last, each statement under the same guard, so that an
 * interrupted, repeated or concurrent run ends in the same rows. Data stored by address is erased for every address the account had.
 * Queued emails are still sent or fail, and are wiped after that. The orders of a paying customer keep Stripe's customer id, so that
 * later refunds and disputes still arrive (docs/decisions/refunds.md).
 */
export async function eraseAccount(app: Deps, departed: Departed): Promise<Result<null, EndBillingRefusal>> {
  const { db } = app;
  const { id } = departed;
  const ended = await endBilling(app, id);
  if (!ended.ok) return ended;
  const [customer] = await findCustomer(db, id);
  const forgotten = customer ? await app.payments?.deleteCustomer(customer.providerId) : undefined;
  if (forgotten && !forgotten.ok) return forgotten;

  const now = app.clock();
  const guard = accountIsErasing(id);
  const addresses = await addressesOf(app, departed);
  const counters = await Promise.all(addresses.map((each) => countersOf(app, each)));
  const markers = await markersOf(app, addresses);
  const email = await sealEmail(app, departed.email, { template: "account-erased" }, `${id}.account-erased`);
  const { email: queued } = await batchNamed(db, {
    link: removeLink(db, id, guard),
    referrals: endReferrals(db, id, now, guard),
    ledger: endLedger(db, id, now, guard),
    hooks: app.hooks.flatMap(({ erase }) => erase?.(db, { id, addresses, now, guard }) ?? []),
    orders: eraseOrders(db, id, guard),
    documents: eraseDocuments(db, id, guard),
    withdrawals: eraseWithdrawals(db, { accountId: id, addresses }, guard),
    cancellations: eraseCancellations(db, { accountId: id, addresses }, guard),
    subscriptions: eraseSubscriptions(db, id, now, guard),
    customer: removeCustomer(db, id, sql`${guard} and not ${hasPaid(id)}`),
    usage: removeUsage(db, id, guard),
    codes: removeCodes(db, { accountId: id, addresses }, guard),
    quotas: removeQuotas(
      db,
      counters.flatMap(({ quotas }) => quotas),
      guard,
    ),
    browsers: removeBrowsers(
      db,
      counters.map(({ addressHash }) => addressHash),
      guard,
    ),
    emails: eraseServiceReports(db, id, guard),
    people: removePeopleRows(db, id, guard),
    deletedAddresses: addDeletedAddresses(db, markers.ofAddresses, now, guard),
    customerDomains: addDeletedAddresses(db, markers.ofDomains, now, sql`${guard} and ${hasPaid(id)}`),
    account: changeToGone(db, id, app.product, now),
    email: addEmail(db, { ...email, accountId: id }, justChanged),
  });
  if (queued.meta.changes === 1) app.later(deliverEmail(app, email.id));
  return done(null);
}

/** The account's present and former addresses. */
async function addressesOf(app: Deps, { id, address }: Departed): Promise<Owned> {
  const former = await listFormerAddresses(app.db, id);
  const opened = await Promise.all(former.map((row) => openFormerAddress(app.pepper, row)));
  const left = opened.flatMap((each) => (each ? [{ name: each.address, until: each.leftAt }] : []));
  return [{ name: address, until: Number.MAX_SAFE_INTEGER }, ...left];
}

/** What stays of deleted addresses, and of a customer's own domain: keyed hashes, as long as something is compared with them. */
async function markersOf({ pepper, product }: Deps, addresses: Owned) {
  if (!comparesCustomers(product)) return { ofAddresses: [], ofDomains: [] };
  // Hashes the mailbox as well, since another spelling of the same address is the same person.
  const names = new Set(addresses.flatMap(({ name }) => [name, mailboxOf(name)]));
  const domains = new Set(await Promise.all(addresses.map(({ name }) => ownDomainOf(name))));
  return {
    ofAddresses: await Promise.all([...names].map((name) => deletedAddressHash(pepper, name))),
    ofDomains: await Promise.all(
      [...domains].filter((domain) => domain !== null).map((domain) => domainHash(pepper, domain)),
    ),
  };
}

/** Every name under which an address is counted: its own, and one for each browser it knows. */
async function countersOf({ db, pepper }: Deps, { name: address, until }: Owned[number]) {
  const { addressHash, stranger } = await codeQuotas(pepper, address, "", "");
  const browsers = await listKnownBrowsers(db, addressHash);
  const known = await Promise.all(
    browsers.map(async ({ browserHash }) => (await codeQuotas(pepper, address, browserHash, "")).known),
  );
  const quotas = [stranger, ...known].flatMap(quotaNamesOf);
  const declarations = await declarationNamesOf(pepper, address);
  return {
    addressHash: { name: addressHash, until },
    quotas: [...quotas, ...declarations].map((name) => ({ name, until })),
  };
}
