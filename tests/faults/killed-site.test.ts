import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { brokenInvariants } from "#tests/support/database/invariants.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import { featurePromises } from "./features.ts";
import { pressOn } from "./load.ts";
import { randomNumbers, rounds } from "./random.ts";
import type { Promised } from "./way.ts";
import { layOutSite, type RunningSite, type Start } from "./running-site.ts";

let site: RunningSite;
const random = randomNumbers();
const promised: Promised[] = [];
const starts: Start[] = [];

beforeAll(async () => {
  site = await layOutSite();
  await site.stripe.seed(site.origin);
});
afterAll(async () => {
  await site.kill("all");
  await site.remove();
});

/** Ready is 200 of /healthz; what wrangler does before it starts the runtime is not the site's. */
const readyMsMax = 5000;

test.each(Array.from({ length: rounds * 4 }, (_, index) => index + 1))(
  "a site that is killed in the middle, time %i, has nothing half done, and is back within five seconds",
  async () => {
    const start = await site.start();
    starts.push(start);
    expect(start.oursMs).toBeLessThan(readyMsMax);
    expect((await site.fetch("/")).status).toBe(200);
    const until = new AbortController();
    const load = pressOn(site, random, until.signal, promised);
    await pause(500 + random() * 4000);
    until.abort();
    await site.kill(random() < 0.5 ? "runtime" : "all");
    expect(await load).toEqual([]);
    const { books, integrity, close } = site.openBooks();
    expect(integrity).toEqual([{ integrity_check: "ok" }]);
    expect(await brokenInvariants(books)).toEqual({});
    for (const { what, who } of promised)
      expect([what, who, await isThere(books, what, who)]).toEqual([what, who, true]);
    close();
  },
);

/** What was answered before the kill is stored; a payment may still be processing here. */
async function isThere(books: Parameters<typeof brokenInvariants>[0], what: string, who: string) {
  // Addresses change, and are found under what they were then.
  const own = `(select id from accounts where email_canonical = '${who}'
    union select account_id from address_changes where from_canonical = '${who}')`;
  const from: Record<string, string> = {
    ...Object.fromEntries(featurePromises.map((each) => [each.what, each.from(who)])),
    account: `accounts where id in ${own}`,
    order: `orders where account_id in ${own}`,
    device: `devices where account_id in ${own}`,
    withdrawal: `withdrawals where email = '${who}'`,
  };
  return (await books(`select 1 from ${from[what]}`)).length > 0;
}

test("everything that was started is finished: each payment is one order with a number and one receipt, and each email is sent", async () => {
  starts.push(await site.start());
  for (const minutes of [0, 3, 6, 9, 15, 30, 60]) await site.runCron(minutes);
  const sessions = [];
  for await (const session of site.stripe.sdk.checkout.sessions.list({ limit: 100 })) sessions.push(session);
  const paid = sessions.filter(({ payment_status: status }) => status === "paid");
  await site.kill("all");
  const { books, close } = site.openBooks();
  expect(await brokenInvariants(books)).toEqual({});
  const orders = await books("select id, state, amount_minor from orders where number_year is not null");
  const byId = new Map(orders.map((order) => [order["id"], order]));
  for (const { client_reference_id: id, amount_total: amount } of paid) {
    expect(byId.get(String(id))).toMatchObject({ amount_minor: amount });
  }
  expect(orders).toHaveLength(paid.length);
  expect(await books("select * from emails where state <> 'sent'")).toEqual([]);
  expect(await books("select * from withdrawals where state <> 'acknowledged'")).toEqual([]);
  expect(await books("select * from webhook_events where state in ('received', 'failed')")).toEqual([]);
  const receipts =
    await books(`select a.email, sum(m.tries) as tries from orders o join accounts a on a.id = o.account_id
    join emails m on m.id like 'mail_' || o.id || '%' where m.template = 'receipt' group by 1`);
  for (const { email, tries } of receipts) {
    // An attempt that was killed between sending and storing that sends once more, rather than never. What was
    // printed of an email at the moment of the kill may be lost, so that fewer can be seen.
    expect([email, Math.max(0, site.countEmails(String(email), subjectOf("receipt")) - Number(tries))]).toEqual([
      email,
      0,
    ]);
  }
  const counts =
    await books(`select (select count(*) from accounts) as accounts, (select count(*) from orders) as orders,
    (select count(*) from devices) as devices, (select count(*) from entries) as places, (select count(*) from emails) as emails,
    (select count(*) from withdrawals) as withdrawals, (select count(*) from referrals) as friends`);
  close();
  const spans = (of: keyof Start) => starts.map((start) => start[of]).toSorted((a, b) => a - b);
  const summary = (list: number[]) =>
    [list[0], list[Math.floor(list.length / 2)], list.at(-1)].map((ms) => Math.round(ms ?? 0));
  console.warn(
    `${product.name}: ${JSON.stringify(counts[0])}, paid at the provider ${paid.length}, promised ${promised.length}`,
  );
  console.warn(
    `ready, in ms (least, median, most): the runtime's ${summary(spans("oursMs"))}, in all ${summary(spans("wholeMs"))}`,
  );
});
