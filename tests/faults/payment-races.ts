import { expect } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { rewardHoldDays } from "#app/modules/referrals/reward.rules.ts";
import { product } from "#app/product/config.ts";
import { offerRefusalMessages } from "#app/routes/settings/upgrade/messages.ts";
import { customerOf } from "#tests/http/plans/subscribers.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { checkoutFields } from "#tests/support/billing/checkout-fields.ts";
import { rewriteDocuments } from "#tests/support/database/rewrite-documents.ts";
import { ordersOfCustomer } from "#tests/support/billing/customer-orders.ts";
import {
  askForCode,
  cards,
  openCheckout,
  send,
  signUp,
  subscriber,
  typeCode,
} from "#tests/support/clients/customers.ts";
import type { Prepared, Visitor } from "#tests/support/clients/visitor.ts";
import type { Site } from "#tests/support/site/site.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import { crowd, expectRefused, figures, forty, ledTo, own, type Race, statuses, together } from "./race.ts";

/** A friend who came by a referral link, with a code in the email. */
async function broughtBy(site: Site, link: string, address: string, nth: number) {
  await (await site.database()).exec("delete from quota_uses");
  const visitor = await site.visitor().open(link);
  await visitor.open(`/signup?plan=${small.id}&interval=year`);
  await askForCode(visitor, address);
  return { visitor, code: await site.codeTo(address, nth) };
}

async function linkOf(visitor: Visitor): Promise<string> {
  await visitor.open("/settings/referral");
  return /\/\?ref=[a-z0-9]+/.exec(visitor.html)?.[0] ?? "no link";
}

/** Pays on the hosted page, whose events don't reach the site. */
export async function payWithoutEvents(site: Site, visitor: Visitor): Promise<void> {
  await site.stripe?.control("disorder", { drop: 1000 });
  await send(visitor.url, checkoutFields(cards.good));
  await site.stripe?.control("disorder", {});
}

/** The last event of a kind about a customer, as the provider posts it. */
export async function eventOf(site: Site, address: string, type: string): Promise<Prepared> {
  const sdk = site.stripe?.sdk;
  const customer = await customerOf(site, address);
  const events = (await sdk?.events.list({ limit: 100 }))?.data ?? [];
  const event = events.find((one) => one.type === type && JSON.stringify(one.data.object).includes(customer));
  const body = JSON.stringify(event);
  const secret = "local-stripe-webhook-secret";
  const signature = sdk?.webhooks.generateTestHeaderString({ payload: body, secret }) ?? "";
  return { method: "POST", path: "/webhooks/stripe", headers: { "Stripe-Signature": signature }, body };
}

async function openSessions(site: Site, address: string): Promise<number> {
  const customer = await customerOf(site, address);
  const listed = await site.stripe?.sdk.checkout.sessions.list({ customer, limit: 100 });
  return listed?.data.filter(({ status }) => status === "open").length ?? 0;
}

const linked = { receipts: "emails where template = 'receipt' and id like 'mail_' || ?1 || '%'" };
const ofOrder = {
  ...linked,
  moments: "history_events where order_id = ?1 and what = 'paid'",
  lines: "order_lines where order_id = ?1",
};

export const paymentRaces: Race[] = [
  {
    name: "a purchase that is confirmed is one order and one checkout",
    async run(site, mark) {
      const address = `buys-${mark}@example.com`;
      const visitor = await signUp(site, address);
      const answers = await forty(site, visitor.prepareSubmit("quote"));
      // An account has a quota of purchases a minute. The payment provider may not answer the others in time; the late ones report that.
      expectRefused(
        answers.filter(({ status }) => status !== 429),
        503,
        offerRefusalMessages.en.refusals["provider-unreachable"],
      );
      expect(Object.keys(ledTo(answers))).toHaveLength(1);
      expect(await ordersOfCustomer(site, address)).toMatchObject([{ state: "pending" }]);
      expect(await openSessions(site, address)).toBe(1);
    },
  },
  {
    name: "one event is one payment, one number and one email",
    async run(site, mark) {
      const address = `heard-${mark}@example.com`;
      const visitor = await (await signUp(site, address)).submit("quote");
      await payWithoutEvents(site, visitor);
      const answers = await forty(site, await eventOf(site, address, "invoice.paid"));
      // An event that arrives while another sync of the same customer is running is asked for again, or accepted.
      expect(Object.keys(statuses(answers)).filter((status) => !["204", "503"].includes(status))).toEqual([]);
      const [order] = await ordersOfCustomer(site, address);
      expect(order).toMatchObject({ state: "paid", number: expect.stringMatching(/^\d{4}-\d{6}$/) });
      expect(await figures(site, order?.id ?? "", ofOrder)).toEqual({ receipts: 1, moments: 1, lines: 1 });
    },
  },
  {
    name: "a friend with two referral links at once is one account, attributed once",
    async run(site, mark) {
      const links = [];
      for (const who of ["a", "b"]) links.push(await linkOf(await signUp(site, `${who}-link-${mark}@example.com`)));
      const friend = `friend-${mark}@example.com`;
      const typed: Prepared[] = [];
      for (const [index, link] of links.entries()) {
        const { visitor, code } = await broughtBy(site, link, friend, index + 1);
        typed.push(visitor.prepareSubmit("code", { code }));
      }
      const answers = await together(site, Array.from({ length: crowd / 2 }, () => typed).flat());
      expect(Object.values(ledTo(answers)).reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(2);
      const counted = await figures(site, friend, {
        accounts: "accounts where email_canonical = ?1",
        referrals: `referrals where friend_id in ${own}`,
      });
      expect(counted).toEqual({ accounts: 1, referrals: 1 });
    },
  },
  {
    name: "a reward that is due is given once, with one line here, one at the provider and one email",
    async run(site, mark) {
      // Neither shares a domain or a card with anybody.
      const [owner, friend] = [`owner@owners-${mark}.example`, `brought@friends-${mark}.example`];
      await (
        await site.database()
      ).exec(
        "delete from customer_hashes; update friend_discounts set method_hash = null, mailbox_hash = null, domain_hash = null",
      );
      const link = await linkOf(await subscriber(site, owner, { card: cards.third }));
      const { visitor, code } = await broughtBy(site, link, friend, 1);
      await typeCode(visitor, code);
      await openCheckout(visitor);
      await visitor.open(await send(visitor.url, checkoutFields(cards.another)));
      await site.runCron();
      const database = await site.database();
      const held = (rewardHoldDays(product) + 1) * dayMs;
      const paid = `update orders set paid_at = paid_at - ${held} where account_id in ${own}`;
      const due = `update referrals set waits_until = 1 where state = 'waiting' and friend_id in ${own}`;
      const issued = `update documents set issued_at = issued_at - ${held}
        where order_id in (select id from orders where account_id in ${own})`;
      for (const past of [paid, due]) await database.prepare(past).bind(friend).run();
      await rewriteDocuments(database, database.prepare(issued).bind(friend));
      await Promise.all(Array.from({ length: crowd }, () => site.runCron()));
      const counted = await figures(site, owner, {
        lines: `ledger_lines where account_id in ${own} and kind = 'earned'`,
        approved: `referrals where referrer_id in ${own} and state = 'approved'`,
      });
      expect(counted).toEqual({ lines: 1, approved: 1 });
      await site.runCron();
      const transactions = await site.stripe?.sdk.customers.listBalanceTransactions(await customerOf(site, owner));
      expect(transactions?.data.filter(({ amount }) => amount < 0)).toHaveLength(1);
      const creditEmails = (await site.emailsTo(owner, 3)).filter(({ subject }) =>
        subjectOf("reward-earned").test(subject),
      );
      expect(creditEmails).toHaveLength(1);
    },
  },
];
