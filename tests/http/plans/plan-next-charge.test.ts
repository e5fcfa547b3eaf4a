import { planMessages, planAheadMessages, endingMessages } from "#app/routes/settings/plan/messages.ts";
import { offerRefusalMessages, changeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { overviewPlanMessages } from "#app/routes/settings/overview/plan.messages.ts";
import { beginningOf, gap } from "#tests/support/clients/message-patterns.ts";
import { emailOf } from "#tests/support/clients/email-texts.ts";
import { afterEach, expect, test } from "vitest";
import { chargedAt } from "#app/core/stripe/charge-time.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import { product } from "#app/product/config.ts";
import { subscriber } from "#tests/support/clients/customers.ts";
import { free, large, price, small } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { advance, choose, endAllPlans, invoicesOf, ordersOf, planPath, subscriptionOf } from "./subscribers.ts";
import { asShown } from "#tests/support/clients/html.ts";

/** What is said about the data, up to the day. */
const [beforeDay = ""] = product.dataWhenSmaller.split("{day}");

const site = useSite({ vars: { LAUNCH_GATE: "none" } });
afterEach(() => endAllPlans(site));

const minuteDays = 1 / 1440;

/** A visitor's days are those of the config's time zone until they choose another. */
const dayOf = (seconds: number) => asShown(formatDay(seconds * 1000, product));

/** The row of the plan page. */
const nextCharge = (sum: string, day: string) => `${planMessages.en.next} ${planMessages.en.nextText(sum, day)}`;

/**
 * A minute into the next period: its invoice is a draft, and charged in an hour, which near midnight is the next day.
 * Returns when that is, and when the period ends.
 */
async function beginNextPeriod(address: string): Promise<{ charged: number; ends: number }> {
  const { item } = await subscriptionOf(site, address);
  await advance(site, (item.current_period_end - item.current_period_start) / (dayMs / 1000) + minuteDays);
  const charged = (await invoicesOf(site, address))[0]?.automatically_finalizes_at ?? Number.NaN;
  return { charged, ends: (await subscriptionOf(site, address)).item.current_period_end };
}

test("the next charge is a renewal's draft invoice while there is one, and afterwards the charge of the next period", async () => {
  const address = "drawn@example.com";
  const visitor = await subscriber(site, address);
  const { charged, ends } = await beginNextPeriod(address);
  expect((await invoicesOf(site, address)).map(({ status }) => status)).toEqual(["draft", "paid"]);
  await visitor.open(planPath);
  expect(visitor.text()).toContain(nextCharge(price(small), dayOf(charged)));
  await visitor.open("/settings");
  const { renews, onDay } = overviewPlanMessages.en;
  expect(visitor.text()).toContain(renews(price(small), onDay(dayOf(charged)), "Visa •••• 4242"));
  await advance(site, 61 * minuteDays);
  await visitor.open(planPath);
  expect(visitor.text()).toContain(nextCharge(price(small), dayOf(ends)));
  expect((await ordersOf(site, address)).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    "new-plan paid",
    "renewal paid",
  ]);
});

test("a smaller plan that begins is announced by email and page with the charge due within the hour", async () => {
  const address = "begins@example.com";
  const visitor = await subscriber(site, address, { plan: large.id });
  await choose(visitor, small.id);
  await visitor.press(
    beginningOf(changeMessages.en.submitLater(small.name, price(small), changeMessages.en.per.month, gap)),
  );
  const { charged } = await beginNextPeriod(address);
  await visitor.open(planPath);
  expect(visitor.text()).toContain(nextCharge(price(small), dayOf(charged)));
  const expected = emailOf({
    template: "plan-changed",
    from: large.name,
    to: small.name,
    isSmaller: true,
    isYearly: false,
    points: small.points,
    lastDayOfData: null,
    amount: price(small),
    nextCharge: dayOf(charged),
    url: "",
  });
  const changed = (await site.emailsTo(address, 4)).find(({ subject }) => subject === expected.subject);
  const text = changed?.text.replaceAll(/\s+/g, " ");
  for (const sentence of expected.before.slice(1)) expect(text).toContain(sentence);
  expect(text).toContain(beforeDay);
});

test("a smaller plan that is chosen in that hour is quoted with the charge that comes before it", async () => {
  const address = "chosen-then@example.com";
  const visitor = await subscriber(site, address, { plan: large.id });
  const { charged, ends } = await beginNextPeriod(address);
  await choose(visitor, small.id);
  expect(visitor.text()).toContain(
    `${changeMessages.en.begins} ${changeMessages.en.beginsText(dayOf(ends), large.name)}`,
  );
  expect(visitor.text()).toContain(nextCharge(price(large), dayOf(charged)));
  await visitor.press(
    beginningOf(changeMessages.en.submitLater(small.name, price(small), changeMessages.en.per.month, gap)),
  );
  expect(visitor.text()).toContain(planAheadMessages.en.pending.title(small.name, dayOf(ends)));
});

test("a customer who cancels a plan in that hour is informed of the charge that still comes", async () => {
  const address = "ends-then@example.com";
  const visitor = await subscriber(site, address);
  const { charged, ends } = await beginNextPeriod(address);
  const last = { amount: price(small), isInProcess: false };
  await visitor.open(planPath);
  expect(visitor.text()).toContain(
    endingMessages.en.cancel.text(dayOf(ends), last, { product: product.name, free: free.name }),
  );
  await visitor.press(endingMessages.en.cancel.button);
  expect(visitor.text()).toContain(nextCharge(price(small), dayOf(charged)));
  expect(visitor.text()).toContain(endingMessages.en.resume.text(last, free.name));
  await advance(site, 61 * minuteDays);
  await visitor.open(planPath);
  expect(visitor.text()).not.toContain(planMessages.en.next);
  expect(visitor.text()).toContain(endingMessages.en.resume.text(null, free.name));
});

test("a plan whose collection the team has paused continues, announces no charge and can't be changed, until collection resumes", async () => {
  const address = "held@example.com";
  const visitor = await subscriber(site, address);
  const { id } = await subscriptionOf(site, address);
  const hold = (behavior: "void" | null) =>
    site.stripe?.sdk.subscriptions.update(id, { pause_collection: behavior ? { behavior } : "" });
  await hold("void");
  await advance(site, 0);
  await visitor.open(planPath);
  expect(visitor.text()).toContain(`${small.name} ${planMessages.en.states.active}`);
  expect(visitor.text()).toContain(`${planMessages.en.next} ${planMessages.en.onHold}`);
  await visitor.open("/settings");
  expect(visitor.text()).toContain(overviewPlanMessages.en.onHold);
  await choose(visitor, large.id);
  expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["charges-on-hold"]);
  expect(visitor.html).toContain(`mailto:${product.support}`);
  await beginNextPeriod(address);
  await visitor.open(planPath);
  expect(visitor.text()).toContain(`${planMessages.en.next} ${planMessages.en.onHold}`);
  await advance(site, 61 * minuteDays);
  expect((await ordersOf(site, address)).map(({ state }) => state)).toEqual(["paid"]);
  await hold(null);
  await advance(site, 0);
  await visitor.open(planPath);
  const { item } = await subscriptionOf(site, address);
  expect(visitor.text()).toContain(nextCharge(price(small), dayOf(chargedAt(item.current_period_end * 1000) / 1000)));
});
