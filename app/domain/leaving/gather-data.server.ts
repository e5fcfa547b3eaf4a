import type { App } from "#app/context.ts";
import { newActivity } from "#app/domain/accounts/activities.rules.ts";
import { addActivity } from "#app/domain/accounts/activities.store.server.ts";
import { openFormerAddress } from "#app/domain/accounts/former-addresses.rules.ts";
import { listFormerAddresses } from "#app/domain/accounts/former-addresses.store.server.ts";
import {
  findOwnAccount,
  listOwnActivities,
  listOwnAddressChanges,
  listOwnPasskeys,
  listOwnSessions,
} from "#app/domain/accounts/personal-data.store.server.ts";
import { listOwnDevices, listOwnLicenceKeys, listOwnUsage } from "#app/domain/devices/personal-data.store.server.ts";
import { isFreshlyProven, type Viewer } from "#app/domain/accounts/rules.ts";
import { sessionStands } from "#app/domain/accounts/sessions.store.server.ts";
import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import { spellInstants } from "#app/domain/kernel/time.ts";
import { listOwnLedger } from "#app/domain/ledger/personal-data.store.server.ts";
import { deliverMail, sealLetter } from "#app/domain/mail/deliver-mail.server.ts";
import { listOwnMails } from "#app/domain/mail/personal-data.store.server.ts";
import { addMail, justChanged } from "#app/domain/mail/store.server.ts";
import {
  listOwnLines,
  listOwnMoments,
  listOwnOrders,
  listOwnWithdrawals,
  listStrayWithdrawals,
} from "#app/domain/orders/personal-data.store.server.ts";
import { orderNumber } from "#app/domain/orders/rules.ts";
import { readOrder } from "#app/domain/orders/store.server.ts";
import { listOwnCustomers, listOwnSubscriptions } from "#app/domain/plans/personal-data.store.server.ts";
import { listOwnPreferences } from "#app/domain/product/personal-data.store.server.ts";
import { listBrought, listOwnLinks } from "#app/domain/referrals/personal-data.store.server.ts";
import { findReferralOf } from "#app/domain/referrals/store.server.ts";
import { listOwnEntries } from "#app/domain/waitlist/personal-data.store.server.ts";

type Powers = Pick<App, "db" | "clock" | "random" | "pepper" | "product" | "mail" | "later" | "report">;

/**
 * All that stands here of one person, room by room. No hashes, no keys, nobody else. Who takes it has it all at once, so that it asks
 * for a fresh proof, leaves a line in the log and tells the owner by mail, once per proof: in one round trip with what it reads.
 */
export async function gatherData(
  app: Powers,
  { account, session }: Viewer,
): Promise<Result<unknown, { reason: "proof-stale" }>> {
  if (!isFreshlyProven(session, app.clock())) return refused({ reason: "proof-stale" });
  const { db } = app;
  const { id } = account;
  const letter = { template: "data-downloaded", device: session.device } as const;
  const mail = await sealLetter(app, account.email, letter, `${id}.data-downloaded.${session.id}`);
  const [noted, told, [person], ...rows] = await db.batch([
    addActivity(db, newActivity(app, session.id, "data-downloaded"), sessionStands(session)),
    addMail(db, mail, justChanged),
    ...readersOf(db, id),
  ]);
  // The request may have taken its time, and its session was ended meanwhile.
  if (noted.meta.changes !== 1) return refused({ reason: "proof-stale" });
  if (told.meta.changes === 1) app.later(deliverMail(app, mail.id));
  const [sessions, activities, addressChanges, former, passkeys, preferences, licenceKeys, devices, usage, ...more] =
    rows;
  const [
    customers,
    subscriptions,
    orders,
    lines,
    moments,
    withdrawals,
    strays,
    waitlist,
    links,
    brought,
    broughtBy,
    credit,
    mails,
  ] = more;
  const formerAddresses = await Promise.all(former.map((row) => openFormerAddress(app.pepper, row)));
  const ofAccount = { sessions, activities, addressChanges, formerAddresses, passkeys };
  const gathered = {
    product: app.product.name,
    writtenAt: app.clock(),
    account: { ...person, mailsOff: readList(person?.mailsOff), ...ofAccount },
    preferences: preferences.map(({ chosen, ...row }) => ({ chosen: JSON.parse(chosen) as unknown, ...row })),
    devices: { licenceKeys, activated: devices, usage },
    plan: { customers, subscriptions },
    orders: orders.map((row) => describeOrder(row, { lines, moments, withdrawals })),
    // Those that meant no order we know.
    withdrawals: strays,
    waitlist,
    referrals: { links, brought, broughtBy, credit },
    mails,
  };
  return done(spellInstants(gathered));
}

/** Room by room, in the order in which they are taken apart above. */
function readersOf(db: App["db"], id: string) {
  return [
    findOwnAccount(db, id),
    listOwnSessions(db, id),
    listOwnActivities(db, id),
    listOwnAddressChanges(db, id),
    listFormerAddresses(db, id),
    listOwnPasskeys(db, id),
    listOwnPreferences(db, id),
    listOwnLicenceKeys(db, id),
    listOwnDevices(db, id),
    listOwnUsage(db, id),
    listOwnCustomers(db, id),
    listOwnSubscriptions(db, id),
    listOwnOrders(db, id),
    listOwnLines(db, id),
    listOwnMoments(db, id),
    listOwnWithdrawals(db, id),
    listStrayWithdrawals(db, id),
    listOwnEntries(db, id),
    listOwnLinks(db, id),
    listBrought(db, id),
    findReferralOf(db, id),
    listOwnLedger(db, id),
    listOwnMails(db, id),
  ] as const;
}

/** Only our own acts write lists of JSON. */
function readList(json = "[]"): unknown {
  return JSON.parse(json);
}

/** An order as its page shows it: with its number, what it was for and what happened to it. */
function describeOrder(row: Parameters<typeof readOrder>[0], parts: Record<string, { orderId: string }[]>) {
  const order = readOrder(row);
  const { accountId: _account, numberYear: _year, numberInYear: _inYear, ...facts } = order;
  const own = Object.entries(parts).map(([name, rows]) => [name, partsOf(order.id, rows)]);
  return { number: orderNumber(order), ...facts, ...Object.fromEntries(own) };
}

function partsOf(id: string, parts: { orderId: string }[]): unknown[] {
  return parts.filter((part) => part.orderId === id).map(({ orderId: _owner, ...part }) => part);
}
