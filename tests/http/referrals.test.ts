import { afterAll, beforeAll, expect, test } from "vitest";
import { product } from "#app/product.config.ts";
import { amount, minor, pattern, small } from "#tests/support/catalogue.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import type { Visitor } from "#tests/support/visitor.ts";
import { advance, cards, keepPace, ordersOf, planPath, send, signIn, subscriber } from "./subscribers.ts";

let site: Site;

beforeAll(async () => {
  site = await startSite({ vars: { LAUNCH_GATE: "none" } });
});
afterAll(() => site.close());

const { friendDiscountMinor, referrerCreditMinor, holdDays, rewardsPerYear } = product.referral;
const [discount, credit] = [amount(friendDiscountMinor), amount(referrerCreditMinor)];
const [mara, nils] = ["mara@example.com", "nils@example.com"];

/** Both clocks so many days on, and a minute of the cron door. */
async function pass(days: number) {
  await advance(site, days);
  await keepPace(site);
  await site.strike();
}

async function openReferrals(visitor: Visitor): Promise<string> {
  await visitor.open("/settings/referral");
  expect(visitor.status).toBe(200);
  return visitor.text();
}

test("a friend is invited, pays and stays; the credit is earned, told, used by a renewal, and taken back with the friend's money", async () => {
  const referrer = await subscriber(site, mara, { card: cards.good });
  const before = await openReferrals(referrer);
  expect(before).toContain("There is none at the moment.");
  expect(before).toContain("Nobody yet");
  const link = /\/\?ref=[a-z0-9]+/.exec(referrer.html)?.[0] ?? "";

  // The friend opens the link, signs up, and sees the discount before the payment and on the order.
  const friend = await site.visitor().open(link);
  expect(friend.text()).toContain(`A friend gives you ${discount} off`);
  await friend.open(`/signup?plan=${small.id}&interval=year`);
  await friend.press("Send me a code", { email: nils, terms: "on" });
  await friend.press("Confirm", { code: await site.codeTo(nils) });
  expect(friend.text()).toContain(`${discount} off this first payment`);
  await friend.press(`Start ${small.name}`);
  await friend.open(await send(friend.url, { testCard: cards.another }));
  expect(friend.path()).toMatch(/^\/payment\/success\?order=/);
  const [order] = await ordersOf(site, nils);
  await friend.open(`/settings/orders?order=${order?.id}`);
  expect(friend.text()).toContain(`Discount -${discount}`);
  expect(friend.text()).toContain(`Charged ${amount(minor(small, "year") - friendDiscountMinor)}`);

  await site.strike();
  const waiting = await openReferrals(referrer);
  expect(waiting).toMatch(
    pattern`A friend \w+ \d{4} Waiting Until \w+ \d+, \d{4}: the payment has to be kept for ${holdDays} days`,
  );
  expect(waiting).toMatch(/Opened your link 1 Signed up 1 Paid enough 1 Waiting 1 Credited 0/);
  // Nothing tells on which day the friend came.
  expect(referrer.html).not.toMatch(/signedUpAt/);

  await pass(holdDays - 0.1);
  const early = (await site.mailsTo(mara, 0)).map(({ subject }) => subject);
  expect(early).not.toContain(`You have ${product.name} credit`);
  await pass(0.2);
  const subjects = (await site.mailsTo(mara, 3)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject === `You have ${product.name} credit`)).toHaveLength(1);
  const again = await signIn(site, mara);
  const credited = await openReferrals(again);
  expect(credited).toContain(`Credit ${credit}`);
  expect(credited).toMatch(/It comes off your next charge on \w+ \d+, \d{4} by itself\./);
  expect(credited).toMatch(pattern`Runs out ${credit} of it on \w+ \d+, \d{4}, unless it is used before\.`);
  expect(credited).toContain(`1 of ${rewardsPerYear}`);
  expect(credited).toContain("A friend paid and stayed.");
  await again.open(planPath);
  expect(again.text()).toContain(`Next charge ${amount(minor(small) - referrerCreditMinor)}`);

  // The next renewal uses it, and its order says so.
  await pass(31.5 - holdDays);
  const orders = await ordersOf(site, mara);
  expect(orders.map(({ kind, amountMinor, creditMinor }) => [kind, amountMinor, creditMinor])).toEqual([
    ["new-plan", minor(small), 0],
    ["renewal", minor(small) - referrerCreditMinor, referrerCreditMinor],
  ]);
  const later = await signIn(site, mara);
  await later.open(`/settings/orders?order=${orders[1]?.id}`);
  expect(later.text()).toContain(`Credit used -${credit}`);
  expect(later.text()).toContain("Your credit paid for some of it.");
  const used = await openReferrals(later);
  expect(used).toMatch(/Used for a charge\. Order \d{4}-\d{6}/);
  expect(used).toContain(`Credit ${amount(0)}`);

  // The friend is refunded after all.
  await site.stripe?.control("refund", { order: order?.id ?? "" });
  await site.strike();
  const reversed = await openReferrals(later);
  expect(reversed).toMatch(/Taken back The payment was refunded/);
  expect(reversed).toContain(`A friend's payment was refunded. ${credit} of it were used already`);
  expect(reversed).toContain(`${credit} were used before they were taken back.`);
  expect(reversed).toContain(`Credit ${amount(0)}`);
  const told = (await site.mailsTo(mara, 5)).map(({ subject }) => subject);
  expect(told.filter((subject) => subject === `A ${product.name} reward was taken back`)).toHaveLength(1);
  const balance = (await site.stripe?.sdk.customers.list({ email: mara }))?.data[0]?.balance;
  expect(balance).toBe(0);
}, 120_000);
