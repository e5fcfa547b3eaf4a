import { overviewPlanMessages } from "#app/routes/settings/overview/plan.messages.ts";
import { planMessages, planAheadMessages } from "#app/routes/settings/plan/messages.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { product } from "#app/product/config.ts";
import { expect, test } from "vitest";
import {
  orderDetailMessages,
  orderWithdrawalMessages,
  orderHistoryMessages,
} from "#app/routes/settings/orders/order/messages.ts";
import { orderStateMessages } from "#app/routes/settings/orders/messages.ts";
import { paymentMessages } from "#app/routes/payment/messages.ts";
import { subscriber } from "#tests/support/clients/customers.ts";
import { amount, free, minor, pattern, price, small } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { choose, confirmation, ordersOf, planPath } from "#tests/http/plans/subscribers.ts";

const { currency } = product;

const site = useSite();

test("a full refund of a running period ends the plan, which is shown with plan, order and payment", async () => {
  const visitor = await subscriber(site, "given-back@example.com");
  const [order] = await ordersOf(site, "given-back@example.com");
  await site.stripe?.control("refund", { order: order?.id });
  // Stripe's event is answered before it is handled.
  await expect
    .poll(async () => {
      await visitor.open(planPath);
      return visitor.text();
    })
    .toContain(planMessages.en.free.title(free.name));
  expect(visitor.text()).toMatch(fillGaps(planAheadMessages.en.ended.refunded(small.name, gap)));
  await visitor.open(`/settings/orders/${order?.id}`);
  expect(visitor.text()).toContain(orderHistoryMessages.en.money.refund(price(small)));
  await visitor.open(`/payment/success?order=${order?.id}`);
  expect(visitor.heading()).toBe(paymentMessages.en.past.title);
  expect(visitor.text()).toContain(paymentMessages.en.refunded.all);
  expect(visitor.text()).not.toContain(
    paymentMessages.en.pages["new-plan"].success.lead(`${product.name} ${small.name}`),
  );
});

test("a year that replaced a month is part of the same contract: its page says so, and one refund undoes all of it", async () => {
  const address = "one-contract@example.com";
  const visitor = await subscriber(site, address);
  await choose(visitor, small.id, "year");
  await visitor.post(confirmation(visitor), "/settings/upgrade");
  const [first, second] = await ordersOf(site, address);
  const { covers, back } = orderWithdrawalMessages.en;
  const total = formatMoney(
    { amountMinor: (first?.amountMinor ?? 0) + (second?.amountMinor ?? 0), currency },
    product.locale,
  );
  for (const order of [first, second]) {
    await visitor.open(`/settings/orders/${order?.id}`);
    expect(visitor.text()).toContain(back(total, null));
    // Each by its number: "2026-000002 and 2026-000003".
    const named = [first, second].map((each) => `\\d{4}-${String(each?.number).padStart(6, "0")}`).join(" and ");
    expect(visitor.text()).toMatch(new RegExp(covers(named)));
  }
  await visitor.post({ name: "O. C.", order: first?.id ?? "", email: address, intent: "confirm" }, "/withdraw");
  await visitor.open(`/settings/orders/${second?.id}`);
  expect(visitor.text()).toMatch(fillGaps(orderWithdrawalMessages.en.declared.open(gap, gap, gap)));
  await site.stripe?.control("refund", { order: first?.id });
  const states = async () => (await ordersOf(site, address)).map(({ state }) => state);
  await expect.poll(states, { timeout: 15_000 }).toEqual(["refunded", "refunded"]);
  await visitor.open(planPath);
  expect(visitor.text()).toMatch(fillGaps(planAheadMessages.en.ended.withdrawn(small.name, gap)));
  const subjects = (await site.emailsTo(address, 5)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subjectOf("refund").test(subject))).toHaveLength(2);
});

/** The chip in lists, and the sentence in an order's history. */
const disputed = pattern`${orderStateMessages.en.disputes["needs-response"]}|${fillGaps(orderHistoryMessages.en.money.dispute(gap))}`;

test("a disputed charge leaves the plan until the dispute is lost, and ends it then", async () => {
  const visitor = await subscriber(site, "taken-back@example.com");
  const [order] = await ordersOf(site, "taken-back@example.com");
  await site.stripe?.control("dispute", { order: order?.id });
  await visitor.open(planPath);
  expect(visitor.text()).toContain(planMessages.en.lead(small.name));
  for (const path of [planPath, "/settings/orders", `/settings/orders/${order?.id}`]) {
    await visitor.open(path);
    expect(visitor.text(), path).toMatch(disputed);
  }
  await visitor.open("/settings");
  const { disputedText } = overviewPlanMessages.en;
  expect(visitor.text()).toMatch(fillGaps(disputedText(price(small), gap)));
  expect(visitor.html).toContain(`href="/settings/orders/${order?.id}"`);
  await site.stripe?.control("dispute", { order: order?.id, outcome: "lost" });
  await visitor.open("/settings");
  expect(visitor.text()).not.toMatch(fillGaps(disputedText(price(small), gap)));
  await visitor.open("/settings/orders");
  expect(visitor.text()).toContain(orderStateMessages.en.disputes.lost);
  await visitor.open(planPath);
  expect(visitor.text()).toMatch(fillGaps(planAheadMessages.en.ended.returned(small.name, gap)));
  await visitor.open(`/payment/success?order=${order?.id}`);
  expect(visitor.heading()).toBe(paymentMessages.en.returned.title);
  expect(visitor.text()).not.toContain(paymentMessages.en.past.title);
  await visitor.open(`/settings/orders/${order?.id}`);
  expect(visitor.text()).toContain(orderHistoryMessages.en.money["dispute-lost"](price(small)));
  expect(visitor.html).not.toContain(`/withdraw?order=`);
  const { corrections, creditNote, retainedAfterReturn } = orderDetailMessages.en;
  expect(visitor.text()).toMatch(
    pattern`${corrections["dispute-lost"]} .* ${creditNote("CN-")}\d+.* ${amount(-minor(small))} ${retainedAfterReturn} ${amount(0)}`,
  );
});
