import type { OrderId, AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, PaymentAccess, Site } from "#app/app.ts";
import {
  findOwnAccount,
  listOwnActivities,
  listOwnSessions,
} from "#app/modules/accounts/personal-data.queries.server.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { whatToDoAbout } from "#app/modules/billing/cancellations/cancellations.rules.ts";
import { listOwnCancellations } from "#app/modules/billing/cancellations/personal-data.queries.server.ts";
import { listCancellationsNaming } from "#app/modules/billing/cancellations/everyone.queries.server.ts";
import { limitsOf, planInForce } from "#app/modules/catalogue/catalogue.rules.ts";
import { usageMonthOf, readMeters } from "#app/modules/billing/usage/rules.ts";
import { listUsage } from "#app/modules/billing/usage/queries.server.ts";
import { listFraudWarningsOf } from "#app/modules/billing/sync/fraud-warnings.queries.server.ts";
import { listOwnLedger } from "#app/modules/billing/credit/personal-data.queries.server.ts";
import { listNewestEmails } from "#app/modules/email/personal-data.queries.server.ts";
import {
  listOwnOrders,
  listOwnWithdrawals,
  listStrayWithdrawals,
} from "#app/modules/billing/orders/personal-data.queries.server.ts";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import { refundDueAt, refundDueOn, type WithdrawalState } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import {
  listOwnCustomers,
  listOwnSubscriptions,
} from "#app/modules/billing/subscriptions/personal-data.queries.server.ts";
import { listUnclaimedOf } from "#app/modules/billing/subscriptions/unclaimed-customers.queries.server.ts";
import { keepingStates } from "#app/modules/billing/subscriptions/rules.ts";
import { listOwnLinks } from "#app/modules/referrals/personal-data.queries.server.ts";
import { findDiscountOf, findReferrerOf, listFriendsOf } from "../referrals.queries.server.ts";
import { summarise } from "../summary.rules.ts";

type Deps = Base & Site & PaymentAccess;
/** An account, or an address without one. */
type Whom = { id: AccountId | null; address: string | null };

/** Everything that a customer may ask support about. Null if neither an account nor a hook knows them. */
export async function showPerson(app: Deps, { id, address }: Whom) {
  const { db, clock, product } = app;
  const [account] = id === null ? [] : await findAccount(db, id);
  const canonical = account?.emailCanonical ?? address ?? "";
  const known = await knownByHooks(app, canonical);
  if (!account || id === null) return known.isKnown ? { account: null, ...known.rows } : null;
  const month = usageMonthOf(clock(), product.timeZone);
  const rows = await readRows(app, id, { month, now: clock() });
  const { sessions, activities, customers, subscriptions, orders, links, credit, withdrawals } = rows;
  const running = subscriptions.find(({ state }) => keepingStates.some((keeping) => keeping === state));
  const declared = describeDeclared(product, orders, [
    ...withdrawals,
    ...rows.strays.map((stray) => ({ ...stray, orderId: null })),
  ]);
  return {
    summary: summarise(
      { product, now: clock() },
      {
        account,
        activities,
        subscriptions,
        orders,
        fraudWarnings: rows.fraudWarnings,
        unclaimed: rows.unclaimed,
        emails: rows.emails,
        ofHooks: known,
        withdrawals: declared,
        cancellations: rows.cancellations,
        friends: rows.brought,
        broughtBy: rows.broughtBy,
        discounts: rows.discounts,
      },
    ),
    links: linksOf(app.stripeDashboard, customers, running),
    account: { id, ...rows.facts },
    sessions: sessions.filter(({ state }) => state === "active"),
    activities,
    ...Object.fromEntries(seeing(app).map(({ name }, index) => [name, rows.ofFeatures[index]])),
    usage: readMeters(product.meters, limitsOf(product, planInForce(product, running?.planId)), rows.usage, month).map(
      describeMeter,
    ),
    plan: { customers, subscriptions },
    orders: orders.map(({ accountId: _owner, checkoutUrl: _page, receiptUrl: _receipt, ...order }) => ({
      number: orderNumber(order),
      ...order,
    })),
    ...known.rows,
    referrals: { links, brought: rows.brought, broughtBy: rows.broughtBy, discounts: rows.discounts, credit },
    withdrawals: declared,
    cancellations: rows.cancellations.map((row) => ({ ...row, todo: whatToDoAbout(row) })),
    mails: rows.emails,
  };
}

async function readRows(app: Deps, id: AccountId, { month, now }: { month: string; now: number }) {
  const { db } = app;
  const {
    ownAccount: [facts],
    ...rows
  } = await batchNamed(db, {
    ownAccount: findOwnAccount(db, id),
    sessions: listOwnSessions(db, id),
    activities: listOwnActivities(db, id),
    ofFeatures: seeing(app).map(({ rows }) => rows(db, id)),
    usage: listUsage(app, id, month),
    customers: listOwnCustomers(db, id),
    subscriptions: listOwnSubscriptions(db, id),
    orders: listOwnOrders(db, id),
    fraudWarnings: listFraudWarningsOf(db, id, now),
    unclaimed: listUnclaimedOf(db, id),
    links: listOwnLinks(db, id),
    brought: listFriendsOf(db, id),
    broughtBy: findReferrerOf(db, id),
    discounts: findDiscountOf(db, id),
    credit: listOwnLedger(db, id),
    emails: listNewestEmails(app, id),
    withdrawals: listOwnWithdrawals(db, id),
    strays: listStrayWithdrawals(db, id),
    cancellations: listOwnCancellations(db, id),
    naming: listCancellationsNaming(db, id),
  });
  return { facts, ...rows, cancellations: [...rows.cancellations, ...rows.naming] };
}

/** The features of which operators see something. */
function seeing({ hooks }: Pick<App, "hooks">) {
  return hooks.flatMap(({ name, found }) => (found ? [{ name, rows: found.rows }] : []));
}

type Declared = { orderId: OrderId | null; state: WithdrawalState; declaredAt: number };

/** Adds to each declaration its order's number, and when its refund is due. */
function describeDeclared<Row extends Declared>(
  product: App["product"],
  orders: Awaited<ReturnType<typeof listOwnOrders>>,
  rows: Row[],
) {
  return rows.map((row) => {
    const order = orders.find(({ id }) => id === row.orderId);
    const dueAt = refundDueAt(row, product);
    const number = order ? orderNumber(order) : null;
    return { ...row, number, refundDueAt: dueAt, refundDueOn: refundDueOn(dueAt, product) };
  });
}

/** Links to Stripe's dashboard; none for the local emulator. */
function linksOf(dashboard: string | null, customers: { id: string }[], running: { id: string } | undefined) {
  if (dashboard === null) return [];
  return [
    ...customers.map(({ id }) => `${dashboard}/customers/${id}`),
    ...(running ? [`${dashboard}/subscriptions/${running.id}`] : []),
  ];
}

/** A meter as the owner sees it, without `used` if nothing was reported. */
function describeMeter({
  key,
  unit,
  limit,
  used,
}: ReturnType<typeof readMeters<App["product"]["meters"][number]>>[number]) {
  return { meter: key, unit, used: used?.value ?? null, limit, reportedAt: used?.reportedAt ?? null };
}

async function knownByHooks(app: Deps, address: string) {
  const asked = app.hooks.flatMap(({ name, operators }) => (operators ? { name, person: operators.person } : []));
  const known = await Promise.all(asked.map(async ({ name, person }) => ({ name, ...(await person(app, address)) })));
  return {
    isKnown: known.some(({ rows }) => rows.length > 0),
    rows: Object.fromEntries(known.map(({ name, rows }) => [name, rows])),
    attention: known.flatMap(({ attention }) => attention),
    undecided: known.flatMap(({ undecided }) => undecided),
  };
}
