import type { App } from "#app/context.ts";
import { openFormerAddress } from "#app/domain/accounts/former-addresses.rules.ts";
import { listFormerAddresses } from "#app/domain/accounts/former-addresses.store.server.ts";
import {
  findOwnAccount,
  listOwnActivities,
  listOwnAddressChanges,
  listOwnPasskeys,
  listOwnSessions,
} from "#app/domain/accounts/personal-data.store.server.ts";
import { spellInstants } from "#app/domain/kernel/time.ts";
import { listOwnMails } from "#app/domain/mail/personal-data.store.server.ts";
import { listOwnLines, listOwnMoments, listOwnOrders } from "#app/domain/orders/personal-data.store.server.ts";
import { orderNumber } from "#app/domain/orders/rules.ts";
import { readOrder } from "#app/domain/orders/store.server.ts";
import { listOwnCustomers, listOwnSubscriptions } from "#app/domain/plans/personal-data.store.server.ts";
import { listOwnPreferences } from "#app/domain/product/personal-data.store.server.ts";
import { listBrought, listOwnLinks } from "#app/domain/referrals/personal-data.store.server.ts";
import { findReferralOf } from "#app/domain/referrals/store.server.ts";
import { listOwnEntries } from "#app/domain/waitlist/personal-data.store.server.ts";

/** All that stands here of one person, room by room, in one round trip. No hashes, no keys, nobody else. */
export async function gatherData(
  app: Pick<App, "db" | "clock" | "pepper" | "product">,
  accountId: string,
): Promise<unknown> {
  const { db } = app;
  const [accounts, sessions, activities, addressChanges, passkeys, ...others] = await db.batch([
    findOwnAccount(db, accountId),
    listOwnSessions(db, accountId),
    listOwnActivities(db, accountId),
    listOwnAddressChanges(db, accountId),
    listOwnPasskeys(db, accountId),
    listOwnPreferences(db, accountId),
    listOwnCustomers(db, accountId),
    listOwnSubscriptions(db, accountId),
    listOwnOrders(db, accountId),
    listOwnLines(db, accountId),
    listOwnMoments(db, accountId),
    listOwnEntries(db, accountId),
    listOwnLinks(db, accountId),
    listBrought(db, accountId),
    findReferralOf(db, accountId),
    listOwnMails(db, accountId),
    listFormerAddresses(db, accountId),
  ]);
  const [preferences, customers, subscriptions, orders, lines, moments, waitlist, links, brought, broughtBy, ...last] =
    others;
  const [mails, former] = last;
  const formerAddresses = await Promise.all(former.map((row) => openFormerAddress(app.pepper, row)));
  return spellInstants({
    product: app.product.name,
    writtenAt: app.clock(),
    account: { ...accounts.map(describeAccount)[0], sessions, activities, addressChanges, formerAddresses, passkeys },
    preferences: preferences.map(({ chosen, ...row }) => ({ chosen: JSON.parse(chosen) as unknown, ...row })),
    plan: { customers, subscriptions },
    orders: orders.map((row) => describeOrder(row, { lines, moments })),
    waitlist,
    referrals: { links, brought, broughtBy },
    mails,
  });
}

function describeAccount<Row extends { mailsOff: string }>({ mailsOff, ...row }: Row) {
  return { ...row, mailsOff: JSON.parse(mailsOff) as unknown };
}

/** An order as its page shows it: with its number, what it was for and what happened to it. */
function describeOrder<Line extends { orderId: string }, Moment extends { orderId: string }>(
  row: Parameters<typeof readOrder>[0],
  parts: { lines: Line[]; moments: Moment[] },
) {
  const order = readOrder(row);
  const {
    accountId: _account,
    numberYear: _year,
    numberInYear: _inYear,
    ...facts
  } = { ...order, dispute: row.dispute };
  return {
    number: orderNumber(order),
    ...facts,
    lines: partsOf(order.id, parts.lines),
    moments: partsOf(order.id, parts.moments),
  };
}

function partsOf<Part extends { orderId: string }>(id: string, parts: Part[]) {
  return parts.filter((part) => part.orderId === id).map(({ orderId: _owner, ...part }) => part);
}
