import { sumMinor } from "#app/core/money/money.ts";
import type { CustomerId } from "#app/core/stripe/ids.ts";
import type { AccountId, OrderId } from "#app/core/id.ts";
import { batchNamed, type Statement } from "#app/db/batch.server.ts";
import type { App, Base, Billing, Outbox, PaymentAccess, RequestScope, Secrets, Site } from "#app/app.ts";
import { methodHashesOf } from "#app/modules/accounts/customer-hashes.rules.ts";
import { addMethodHashes } from "#app/modules/accounts/customer-hashes.queries.server.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { comparesCustomers } from "#app/modules/catalogue/rules.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { deliverEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { syncCustomerDetails } from "#app/modules/billing/subscriptions/commands/sync-customer-details.server.ts";
import { syncScheduleCards } from "#app/modules/billing/subscriptions/commands/sync-schedule-cards.server.ts";
import {
  endReplaced,
  endNeverPaid,
  reconcileSubscriptions,
} from "#app/modules/billing/subscriptions/commands/reconcile-subscriptions.server.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { changeCredit, findCustomer, listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { compareOrder, type OrderChange } from "./compare-order.server.ts";
import { orderStatementsFor } from "./order-statements-for.server.ts";
import { resolveDeferredChanges } from "./resolve-deferred-changes.server.ts";
import { labelInvoices } from "./label-invoices.server.ts";
import { matchOrders } from "./match-orders.server.ts";
import { holdDisputedPlans } from "./hold-disputed-plans.server.ts";
import { owedOfSuperseded, settleConcurrentPlans } from "./settle-concurrent-plans.server.ts";
import { settleMismatches } from "./settle-mismatches.server.ts";
import { emailsFor } from "../emails.server.ts";
import { listDocumentsOfInvoices } from "#app/modules/billing/documents/queries.server.ts";
import { confirmOrders } from "#app/modules/billing/orders/states.queries.server.ts";
import { listMoneyBackEvents } from "#app/modules/billing/orders/history-events.queries.server.ts";
import { retryWithNewCard } from "./retry-with-new-card.server.ts";
import { settleUnpaidPlans } from "./settle-unpaid-plans.server.ts";
import { checkoutNewsMs } from "#app/modules/billing/orders/rules.ts";
import { reconcileContracts } from "./reconcile-contracts.server.ts";
import { listAwaitedCheckouts, listOrdersToReconcile, readOrder } from "#app/modules/billing/orders/queries.server.ts";
import { listBuyerTimeZones, listLostDisputes } from "#app/modules/billing/withdrawals/contract.queries.server.ts";
import type { Undone } from "#app/modules/billing/withdrawals/contract.rules.ts";
import { closeWithdrawals, listDeclared } from "#app/modules/billing/withdrawals/withdrawals.queries.server.ts";

export type Deps = Base & Site & Secrets & Outbox & PaymentAccess & RequestScope;

export type ReconcileRefusal = { reason: "no-customer" } | ProviderFailure;

/**
 * The reconciler: fetches everything about a customer from Stripe and updates our rows to match. Webhooks, payment pages and the cron job
 * all call it. The result is the same however often, in what order and how concurrently it runs: every statement names the states it may
 * leave, and each email is unique by its key.
 */
export async function reconcileCustomer(
  app: Deps,
  accountId: AccountId,
  /** Set when the account is being closed: the email about that mentions the plan, so none is sent about the plan alone. */
  { isClosing = false }: { isClosing?: boolean } = {},
): Promise<Result<null, ReconcileRefusal>> {
  const { db, payments } = app;
  if (!payments) return refused({ reason: "not-on-sale" });
  const { customer, account, awaited, declarations, lostDisputes, buyerZones } = await readKnown(app, accountId);
  if (!customer || !account) return refused({ reason: "no-customer" });
  // Real time, so that a clock changed for a test doesn't decide which of two answers is newer.
  const askedAt = app.wallClock();
  const wanted = { customer: customer.providerId, awaited: awaited.map(({ id }) => id) };
  const fetched = await fetchSettledBilling({ ...app, payments }, accountId, wanted);
  if (!fetched.ok) return fetched;
  const billing = inCurrency(fetched.value, app.product.currency);
  const neverPaid = await endNeverPaid(payments, billing);
  if (!neverPaid.ok) return neverPaid;
  const ofCustomer = { customerId: customer.providerId, billing };
  const buyerTimeZones = new Map(
    buyerZones.flatMap(({ invoiceId, zone }) => (invoiceId && zone ? [[invoiceId, zone] as const] : [])),
  );
  const storedFacts = { timeZone: account.timeZone, buyerTimeZones, declarations, lostDisputes };
  const before = await reconcileContracts(app, payments, ofCustomer, storedFacts);
  if (!before.ok) return before;
  // Read after Stripe's answer: an order is written before its invoice is created, so none of the invoices lacks its order.
  const { rows, recordedEvents, documents, stored } = await batchNamed(db, {
    rows: listOrdersToReconcile(db, accountId, idsIn(billing)),
    recordedEvents: listMoneyBackEvents(db, accountId),
    documents: listDocumentsOfInvoices(db, invoicesWithMoneyBack(billing)),
    stored: listSubscriptions(db, accountId),
  });
  const matches = await matchOrders({ ...app, payments }, accountId, rows.map(readOrder), billing);
  if (!matches.ok) return matches;
  const mismatches = await settleMismatches({ ...app, payments }, matches.value, billing);
  if (!mismatches.ok) return mismatches;
  // A payment that was just refunded undoes its contract.
  const undone = mismatches.value.isUndone ? await reconcileContracts(app, payments, ofCustomer, storedFacts) : before;
  if (!undone.ok) return undone;
  // After mismatches, since a plan whose payment is sent back replaces none.
  const replaced = await endReplaced(payments, billing);
  if (!replaced.ok) return replaced;
  // After contracts: a plan whose dispute is lost has ended.
  const disputed = await holdDisputedPlans({ ...app, payments }, billing);
  if (!disputed.ok) return disputed;
  const concurrent = await settleConcurrentPlans({ ...app, payments }, billing, storedFacts);
  if (!concurrent.ok) return concurrent;
  const owed = owedOfSuperseded(app, billing, storedFacts);
  const creditBack = new Map(undone.value.creditBack);
  for (const { credit } of owed.values()) for (const { id, amountMinor } of credit) creditBack.set(id, amountMinor);
  const found = {
    billing,
    recordedEvents,
    documents,
    askedAt,
    undone: { ...undone.value, creditBack },
    mismatches: mismatches.value.found,
  };
  const superseded = new Map(
    [...owed].map(([id, { money, credit }]) => {
      return [id, { refundOwedMinor: sumMinor(money), creditBackMinor: sumMinor(credit) }] as const;
    }),
  );
  const changes = matches.value.flatMap((match) => compareOrder(app, match, { ...found, buyer: account }));
  const planned = await resolveDeferredChanges({ ...app, payments }, rows.map(readOrder), changes, billing);
  if (!planned.ok) return planned;
  await writeReconciled(app, {
    account,
    billing,
    scheduledChanges: planned.value,
    changes,
    declarations,
    undone: undone.value,
    subscriptions: {
      stored,
      isClosing,
      paused: disputed.value,
      undone: mismatches.value.ending,
      superseded,
    },
    askedAt,
  });
  await Promise.all([
    syncCustomerDetails(app, payments, { customerId: customer.providerId, account }, billing),
    labelInvoices({ ...app, payments }, matches.value),
    syncScheduleCards(app, payments, billing),
  ]);
  return done(null);
}

type Reconciled = {
  account: Account;
  billing: Billing;
  scheduledChanges: Billing["scheduledChanges"];
  changes: OrderChange[];
  declarations: Declared[];
  undone: Undone;
  subscriptions: Parameters<typeof reconcileSubscriptions>[2];
  askedAt: number;
};

/** Everything that differs, in one batch: credit, orders, withdrawals, plans, and the emails about them. */
async function writeReconciled(app: Deps, found: Reconciled) {
  const { db } = app;
  const { account, billing, changes, undone, askedAt } = found;
  const synced = { ...billing, scheduledChanges: found.scheduledChanges };
  const plans = await reconcileSubscriptions(app, account, found.subscriptions, synced, askedAt);
  const contents = await emailsFor(app, account, changes, {
    invoices: billing.invoices,
    subscriptions: billing.subscriptions,
    undone,
    declarations: found.declarations,
  });
  const compared = comparesCustomers(app.product) ? billing.charges : [];
  const methods = await methodHashesOf(app.pepper, compared.map(paidMethodOf));
  const ownStatements: Statement[] = changes.flatMap((change) => orderStatementsFor(app, change));
  const statements = [...ownStatements, ...closeRefundedWithdrawals(app, found.declarations, undone)];
  if (methods.length > 0) statements.push(addMethodHashes(db, account.id, methods));
  statements.push(...plans.statements, ...contents.statements, confirmOrders(db, account.id, askedAt));
  const times = { syncedAt: askedAt, now: app.clock() };
  // First, since the other statements check whether a later answer was written.
  await db.batch([changeCredit(db, account.id, billing.creditMinor, times), ...statements]);
  for (const id of [...plans.emailIds, ...contents.ids]) app.later(deliverEmail(app, id));
}

async function readKnown({ db, clock }: Deps, accountId: AccountId) {
  const {
    customer: [customer],
    account: [account],
    awaited,
    declarations,
    lostDisputes,
    buyerZones,
  } = await batchNamed(db, {
    customer: findCustomer(db, accountId),
    account: findAccount(db, accountId),
    awaited: listAwaitedCheckouts(db, accountId, clock() - checkoutNewsMs),
    declarations: listDeclared(db, accountId),
    lostDisputes: listLostDisputes(db, accountId),
    buyerZones: listBuyerTimeZones(db, accountId),
  });
  return { customer, account, awaited, declarations, lostDisputes, buyerZones };
}

type Declared = Awaited<ReturnType<typeof listDeclared>>[number];

/** A refund settles every withdrawal of its contract, including one of an order that had been refunded before. */
function closeRefundedWithdrawals({ db, clock }: Deps, declared: Declared[], { withdrawn }: Undone): Statement[] {
  const answered = declared.filter(({ id, state }) => state !== "refunded" && id !== null && withdrawn.has(id));
  return answered.map(({ orderId }) => closeWithdrawals(db, orderId, clock()));
}

/** Fetches again after an unpaid plan was ended or renewed, or a new card was charged for an open renewal. */
async function fetchSettledBilling(
  app: Deps & { payments: NonNullable<App["payments"]> },
  accountId: AccountId,
  { customer, ...wanted }: { customer: CustomerId; awaited: OrderId[] },
) {
  const fetched = await app.payments.fetchBilling(customer, wanted);
  if (!fetched.ok) return fetched;
  const settled = await settleUnpaidPlans(app, fetched.value);
  if (!settled.ok) return settled;
  const isOutdated = settled.value || (await retryWithNewCard(app, accountId, fetched.value));
  return isOutdated ? app.payments.fetchBilling(customer, wanted) : fetched;
}

function paidMethodOf({ fingerprint, createdAt }: Billing["charges"][number]) {
  return { fingerprint, paidAt: createdAt };
}

/** Credit in another currency than the site's can't be used. */
function inCurrency(billing: Billing, currency: string): Billing {
  const isOurs = billing.creditCurrency === null || billing.creditCurrency === currency;
  return isOurs ? billing : { ...billing, creditMinor: 0 };
}

/** The invoices of which something was refunded or disputed, or that credit alone paid. */
function invoicesWithMoneyBack({ invoices, charges }: Billing) {
  const ids = charges.flatMap(({ paymentId, refunds, disputes }) =>
    paymentId !== null && refunds.length + disputes.length > 0 ? [paymentId] : [],
  );
  const isAffected = ({ paymentIds, creditMinor }: Billing["invoices"][number]) =>
    creditMinor > 0 || paymentIds.some((id) => ids.includes(id));
  return invoices.filter(isAffected).map(({ id }) => id);
}

/** Every id by which Stripe's objects may refer to one of our orders. */
function idsIn({ checkouts, subscriptions, invoices, scheduledChanges }: Billing) {
  const begun = [...checkouts, ...subscriptions].map(({ orderId }) => orderId);
  const orderIds = [...begun, ...scheduledChanges.map(({ deferredFor }) => deferredFor)];
  return {
    orderIds: [...new Set(orderIds.filter((id) => id !== null))],
    checkoutIds: checkouts.map(({ id }) => id),
    invoiceIds: invoices.map(({ id }) => id),
  };
}
