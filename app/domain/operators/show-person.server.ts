import type { App } from "#app/context.ts";
import { findOwnAccount, listOwnActivities, listOwnSessions } from "#app/domain/accounts/personal-data.store.server.ts";
import { findAccountByAddress } from "#app/domain/accounts/store.server.ts";
import type { EmailAddress } from "#app/domain/kernel/email-address.ts";
import { listNewestMails } from "#app/domain/mail/personal-data.store.server.ts";
import { listOwnOrders } from "#app/domain/orders/personal-data.store.server.ts";
import { orderNumber } from "#app/domain/orders/rules.ts";
import { listOwnCustomers, listOwnSubscriptions } from "#app/domain/plans/personal-data.store.server.ts";
import { listBrought, listOwnLinks } from "#app/domain/referrals/personal-data.store.server.ts";
import { findReferralOf } from "#app/domain/referrals/store.server.ts";
import { listOwnEntries } from "#app/domain/waitlist/personal-data.store.server.ts";
import { listedMailsMax } from "./rules.ts";

/** Everything that a question of a person to support may be about. Null: nobody has an account with this address. */
export async function showPerson({ db }: Pick<App, "db">, address: EmailAddress) {
  const [account] = await findAccountByAddress(db, address.canonical);
  if (!account) return null;
  const { id } = account;
  const [[facts], sessions, activities, customers, subscriptions, orders, entries, links, brought, broughtBy, mails] =
    await db.batch([
      findOwnAccount(db, id),
      listOwnSessions(db, id),
      listOwnActivities(db, id),
      listOwnCustomers(db, id),
      listOwnSubscriptions(db, id),
      listOwnOrders(db, id),
      listOwnEntries(db, id),
      listOwnLinks(db, id),
      listBrought(db, id),
      findReferralOf(db, id),
      listNewestMails(db, id, listedMailsMax),
    ]);
  return {
    account: { id, ...facts },
    sessions: sessions.filter(({ state }) => state === "active"),
    activities,
    plan: { customers, subscriptions },
    orders: orders.map(({ accountId: _owner, checkoutUrl: _page, billedTo: _whom, ...order }) => ({
      number: orderNumber(order),
      ...order,
    })),
    waitlist: entries,
    referrals: { links, brought, broughtBy },
    mails,
  };
}
