import type { App } from "#app/context.ts";
import { findOwnAccount, listOwnActivities, listOwnSessions } from "#app/domain/accounts/personal-data.store.server.ts";
import { findAccountByAddress } from "#app/domain/accounts/store.server.ts";
import { planInForce } from "#app/domain/product/catalogue.rules.ts";
import { listOwnDevices } from "#app/domain/devices/personal-data.store.server.ts";
import { monthOf, readMeters } from "#app/domain/devices/usage.rules.ts";
import { listUsage } from "#app/domain/devices/usage.store.server.ts";
import type { EmailAddress } from "#app/domain/kernel/email-address.ts";
import { listOwnLedger } from "#app/domain/ledger/personal-data.store.server.ts";
import { listNewestMails } from "#app/domain/mail/personal-data.store.server.ts";
import { listOwnOrders } from "#app/domain/orders/personal-data.store.server.ts";
import { orderNumber } from "#app/domain/orders/rules.ts";
import { listOwnCustomers, listOwnSubscriptions } from "#app/domain/plans/personal-data.store.server.ts";
import { keepingStates } from "#app/domain/plans/rules.ts";
import { listBrought, listOwnLinks } from "#app/domain/referrals/personal-data.store.server.ts";
import { findReferralOf } from "#app/domain/referrals/store.server.ts";
import { findEntriesOf, type SeenEntry } from "#app/domain/waitlist/decide-entry.server.ts";
import { listedMailsMax } from "./rules.ts";

/** Everything that a question of a person to support may be about. Null: this address has neither an account nor a place in line. */
export async function showPerson({ db, clock, product }: Pick<App, "db" | "clock" | "product">, address: EmailAddress) {
  const entries = (await findEntriesOf({ db }, address.canonical)).map(describeEntry);
  const [account] = await findAccountByAddress(db, address.canonical);
  if (!account) return entries.length > 0 ? { account: null, waitlist: entries } : null;
  const { id } = account;
  const month = monthOf(clock(), product.timeZone);
  const [
    [facts],
    sessions,
    activities,
    devices,
    usage,
    customers,
    subscriptions,
    orders,
    links,
    brought,
    broughtBy,
    credit,
    mails,
  ] = await db.batch([
    findOwnAccount(db, id),
    listOwnSessions(db, id),
    listOwnActivities(db, id),
    listOwnDevices(db, id),
    listUsage(db, id, month),
    listOwnCustomers(db, id),
    listOwnSubscriptions(db, id),
    listOwnOrders(db, id),
    listOwnLinks(db, id),
    listBrought(db, id),
    findReferralOf(db, id),
    listOwnLedger(db, id),
    listNewestMails(db, id, listedMailsMax),
  ]);
  const running = subscriptions.find(({ state }) => keepingStates.some((keeping) => keeping === state));
  return {
    account: { id, ...facts },
    sessions: sessions.filter(({ state }) => state === "active"),
    activities,
    devices,
    usage: readMeters(product.meters, planInForce(product, running?.planId).limits, usage, month).map(describeMeter),
    plan: { customers, subscriptions },
    orders: orders.map(({ accountId: _owner, checkoutUrl: _page, billedTo: _whom, ...order }) => ({
      number: orderNumber(order),
      ...order,
    })),
    waitlist: entries,
    referrals: { links, brought, broughtBy, credit },
    mails,
  };
}

/** As its owner sees it; without `used` nothing was reported. */
function describeMeter({ key, limit, used }: ReturnType<typeof readMeters>[number]) {
  return { meter: key, used: used?.value ?? null, limit, reportedAt: used?.reportedAt ?? null };
}

function describeEntry({ id, gate, state, friends, standing, confirmedAt }: SeenEntry) {
  return { id, gate, state, friends, ahead: standing?.ahead ?? null, behind: standing?.behind ?? null, confirmedAt };
}
