import { expect, test } from "vitest";
import { creditMonths } from "#app/modules/billing/credit/rules.ts";
import { rewardHoldDays } from "#app/modules/referrals/reward.rules.ts";
import { product } from "#app/product/config.ts";
import { landingMessages } from "#app/product/landing/messages.ts";
import {
  orderDetailMessages,
  orderDiscountMessages,
  orderHistoryMessages,
} from "#app/routes/settings/orders/order/messages.ts";
import { planMessages } from "#app/routes/settings/plan/messages.ts";
import { referralMessages } from "#app/routes/settings/referral/messages.ts";
import { upgradeMessages, openChoiceMessages } from "#app/routes/settings/upgrade/messages.ts";
import {
  askForCode,
  cards,
  openCheckout,
  send,
  signIn,
  signUp,
  subscriber,
  typeCode,
} from "#tests/support/clients/customers.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { aDay, amount, minor, pattern, small, roundAmount } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { advance, keepPace, ordersOf, planPath } from "#tests/http/plans/subscribers.ts";
import { checkoutFields } from "#tests/support/billing/checkout-fields.ts";

const { credit: balance, friends, results, ledger, cap } = referralMessages.en;
const { confirm } = upgradeMessages.en;
const detail = orderDetailMessages.en;
const whys = ledger.whys(product.name, creditMonths);
const usedForOrder = pattern`${whys.order}: ${fillGaps(ledger.order(gap), /\d{4}-\d{6}/)}`;

const site = useSite({ vars: { LAUNCH_GATE: "none" } });

const { attributionDays, friendDiscountMinor, referrerCreditMinor, rewardsPerYear } = product.referral;
const holdDays = rewardHoldDays(product);
const [discount, credit] = [amount(friendDiscountMinor), amount(referrerCreditMinor)];
const [mara, nils] = ["mara@example.com", "nils@nils.example"];
const [otto, pia] = ["otto@example.com", "pia@pia.example"];

/** Moves both clocks on by this many days, and runs the cron job. */
async function pass(days: number) {
  await advance(site, days);
  await keepPace(site);
  await site.runCron();
}

async function openReferrals(visitor: Visitor): Promise<string> {
  await visitor.open("/settings/referral");
  expect(visitor.status).toBe(200);
  return visitor.text();
}

/**
 * An account's credit in each of the three places: the sum of the lines, the balance that the site stores, and what
 * the provider takes off.
 */
async function queryOf(address: string) {
  const database = await site.database();
  const row = await database
    .prepare(
      `select (select coalesce(sum(amount_minor), 0) from ledger_lines where account_id = a.id) as lines, c.credit_minor as known
       from accounts a left join customers c on c.account_id = a.id where a.email_canonical = ?`,
    )
    .bind(address)
    .first<{ lines: number; known: number | null }>();
  const customers = (await site.stripe?.sdk.customers.list({ email: address }))?.data ?? [];
  return { ...row, provider: customers[0] ? 0 - customers[0].balance : null };
}

test("a friend is referred, pays and stays; the credit is earned, emailed, used for a renewal, and reversed with the friend's refund", async () => {
  const referrer = await subscriber(site, mara, { card: cards.good });
  const before = await openReferrals(referrer);
  for (const label of [balance.next, whys.order]) expect(before).not.toContain(label);
  expect(before).toContain(friends.none);
  const link = /\/\?ref=[a-z0-9]+/.exec(referrer.html)?.[0] ?? "";

  // The friend opens the link, signs up, and sees the discount before the payment and on the order.
  const friend = await site.visitor().open(link);
  expect(friend.text()).toContain(landingMessages.en.friend(roundAmount(friendDiscountMinor), attributionDays));
  await friend.open(`/signup?plan=${small.id}&interval=year`);
  await askForCode(friend, nils);
  await typeCode(friend, await site.codeTo(nils));
  expect(friend.text()).toContain(confirm.friendText(discount, false));
  const plans = await friend.twin().open("/settings/upgrade");
  expect(plans.text()).toContain(openChoiceMessages.en.friend(roundAmount(friendDiscountMinor)));
  expect(friend.text()).toContain(`${confirm.now} ${amount(minor(small, "year"))}`);
  await openCheckout(friend);
  await friend.open(await send(friend.url, checkoutFields(cards.another)));
  expect(friend.path()).toMatch(/^\/payment\/success\?order=/);
  // Expected, due or refunded, depending on which events of the payment have arrived by then.
  expect(friend.text()).toContain(orderDiscountMessages.en.title);
  expect(friend.text()).toContain(discount);
  const [order] = await ordersOf(site, nils);
  await site.runCron();
  await expect
    .poll(async () => (await friend.open(`/settings/orders/${order?.id}`)).text(), { timeout: 15_000 })
    .toMatch(pattern`${detail.corrections["friend-discount"]} .* −${discount}`);
  expect(friend.text()).toContain(`${detail.money.invoice} ${amount(minor(small, "year"))}`);
  expect(friend.text()).toContain(orderHistoryMessages.en.money["friend-discount"](discount));
  const emailed = (await site.emailsTo(nils, 3)).map(({ subject }) => subject);
  expect(emailed).toContainEqual(expect.stringMatching(subjectOf("friend-discount")));

  await site.runCron();
  const waiting = await openReferrals(referrer);
  expect(waiting).toMatch(
    pattern`${friends.joined(friends.initial(nils.charAt(0).toUpperCase()), "")}.{4,20} ${friends.chips.waiting} ${fillGaps(friends.waitingText(gap), aDay)}`,
  );
  const { visited, signedUp, paid, credited: rewarded } = results;
  expect(waiting).toContain(`${visited} 1 ${signedUp} 1 ${paid} 1 ${rewarded} 0`);
  // Nothing reveals on which day the friend signed up.
  expect(referrer.html).not.toMatch(/signedUpAt/);

  await pass(holdDays - 0.1);
  const early = (await site.emailsTo(mara, 0)).map(({ subject }) => subject);
  expect(early).not.toContainEqual(expect.stringMatching(subjectOf("reward-earned")));
  await pass(0.2);
  const subjects = (await site.emailsTo(mara, 3)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subjectOf("reward-earned").test(subject))).toHaveLength(1);
  const again = await signIn(site, mara);
  const credited = await openReferrals(again);
  expect(credited).toContain(`${balance.balance} ${credit}`);
  expect(credited).toMatch(fillGaps(balance.onCharge(gap), aDay));
  expect(credited).toMatch(pattern`${balance.expires} ${fillGaps(balance.expiresText(credit, gap), aDay)}`);
  expect(credited).toContain(cap.text(1, rewardsPerYear));
  expect(credited).toContain(whys.friend);
  const full = referrerCreditMinor;
  expect(await queryOf(mara)).toEqual({ lines: full, known: full, provider: full });
  await again.open(planPath);
  const { next, nextText } = planMessages.en;
  const lessCredit = amount(minor(small) - referrerCreditMinor);
  expect(again.text()).toMatch(pattern`${next} ${fillGaps(nextText(lessCredit, gap), aDay)}`);

  // The next renewal uses it, and its order says so. The first renewal was before the reward: the second one uses it.
  await pass(62.5 - holdDays);
  const orders = await ordersOf(site, mara);
  expect(orders.map(({ kind, amountMinor, creditMinor }) => [kind, amountMinor, creditMinor])).toEqual([
    ["new-plan", minor(small), 0],
    ["renewal", minor(small), 0],
    ["renewal", minor(small) - referrerCreditMinor, referrerCreditMinor],
  ]);
  expect(await queryOf(mara)).toEqual({ lines: 0, known: 0, provider: 0 });
  const later = await signIn(site, mara);
  await later.open(`/settings/orders/${orders[2]?.id}`);
  expect(later.text()).toContain(`${detail.steps.credit} −${credit}`);
  expect(later.text()).not.toContain(detail.why);
  const used = await openReferrals(later);
  expect(used).toMatch(usedForOrder);
  // Credit that is used up is history.
  for (const left of [credit, amount(0)]) expect(used).not.toContain(`${balance.balance} ${left}`);

  // The friend is refunded after all.
  await site.stripe?.control("refund", { order: order?.id ?? "" });
  await site.runCron();
  const reversed = await openReferrals(later);
  expect(reversed).toContain(`${friends.reversed} ${friends.voidTexts.refund}`);
  expect(reversed).toContain(`${whys.refund} ${ledger.owed(credit)}`);
  expect(reversed).toContain(balance.owedText(credit));
  expect(reversed).toContain(`${balance.balance} ${amount(0)}`);
  const creditSubjects = (await site.emailsTo(mara, 5)).map(({ subject }) => subject);
  expect(creditSubjects.filter((subject) => subjectOf("reward-reversed").test(subject))).toHaveLength(1);
  expect(await queryOf(mara)).toEqual({ lines: 0, known: 0, provider: 0 });
}, 240_000);

test("an account that never paid has credit in our ledger only until its first payment uses it; then the provider's balance agrees", async () => {
  const referrer = await signUp(site, otto, "");
  const link = /\/\?ref=[a-z0-9]+/.exec((await openReferrals(referrer), referrer.html))?.[0] ?? "";
  const friend = await site.visitor().open(link);
  await friend.open(`/signup?plan=${small.id}&interval=year`);
  await askForCode(friend, pia);
  await typeCode(friend, await site.codeTo(pia));
  await openCheckout(friend);
  await friend.open(await send(friend.url, checkoutFields(cards.unlike)));
  await site.runCron();
  await pass(holdDays + 0.1);
  const again = await signIn(site, otto);
  const credited = await openReferrals(again);
  expect(credited).toContain(`${balance.balance} ${credit}`);
  expect(credited).toContain(balance.onPlan);
  expect(await queryOf(otto)).toEqual({ lines: referrerCreditMinor, known: null, provider: null });

  await again.open(`/settings/upgrade?plan=${small.id}&interval=month`);
  expect(again.text()).toContain(confirm.creditText(credit));
  await openCheckout(again);
  expect(await queryOf(otto)).toEqual({
    lines: referrerCreditMinor,
    known: expect.any(Number),
    provider: referrerCreditMinor,
  });
  await again.open(await send(again.url, checkoutFields(cards.third)));
  expect(again.path()).toMatch(/^\/payment\/success\?order=/);
  expect((await ordersOf(site, otto)).map(({ amountMinor, creditMinor }) => [amountMinor, creditMinor])).toEqual([
    [minor(small) - referrerCreditMinor, referrerCreditMinor],
  ]);
  // The balances are compared after the answer.
  await expect.poll(() => queryOf(otto), { timeout: 15_000 }).toEqual({ lines: 0, known: 0, provider: 0 });
  const used = await openReferrals(again);
  expect(used).toMatch(usedForOrder);
  // Credit that is used up is history.
  for (const left of [credit, amount(0)]) expect(used).not.toContain(`${balance.balance} ${left}`);
  expect(await queryOf(pia)).toEqual({ lines: 0, known: 0, provider: 0 });
}, 240_000);

test("a friend whose mailbox had another account is promised nothing, and sees the reason on the page and by email after the payment", async () => {
  const referrer = await signUp(site, "rosa@rosa.example", "");
  const link = /\/\?ref=[a-z0-9]+/.exec((await openReferrals(referrer), referrer.html))?.[0] ?? "";
  const again = "mara+again@example.com";
  const friend = await site.visitor().open(link);
  await friend.open(`/signup?plan=${small.id}&interval=year`);
  await askForCode(friend, again);
  await typeCode(friend, await site.codeTo(again));
  expect(friend.text()).not.toMatch(fillGaps(confirm.friendText(gap, false)));
  const known = fillGaps(orderDiscountMessages.en.refused["known-mailbox"](gap));
  expect(friend.text()).not.toMatch(known);
  await openCheckout(friend);
  await friend.open(await send(friend.url, checkoutFields(cards.good)));
  expect(friend.path()).toMatch(/^\/payment\/success\?order=/);
  expect(friend.text()).toMatch(known);
  const [order] = await ordersOf(site, again);
  expect((await friend.open(`/settings/orders/${order?.id}`)).text()).toMatch(known);
  await site.runCron();
  const subjects = (await site.emailsTo(again, 3)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subjectOf("friend-discount-refused").test(subject))).toHaveLength(1);
  // The referrer learns no more than before, and the account that had the mailbox nothing.
  expect((await site.emailsTo(mara, 0)).map(({ subject }) => subject)).not.toContainEqual(
    expect.stringMatching(subjectOf("friend-discount-refused")),
  );
}, 240_000);
