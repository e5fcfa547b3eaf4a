import { flashMessages } from "#app/http/page/flash.messages.ts";
import { product } from "#app/product/config.ts";
import { upgradeMessages, offerRefusalMessages, changeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { paymentMessages } from "#app/routes/payment/messages.ts";
import { beginningOf, fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import { afterEach, describe, expect, test } from "vitest";
import { pointsLost } from "#app/modules/billing/subscriptions/change.rules.ts";
import { priceKey } from "#app/modules/catalogue/rules.ts";
import {
  planMessages,
  latestOrdersMessages,
  askReasonMessages,
  planAheadMessages,
  endingMessages,
} from "#app/routes/settings/plan/messages.ts";
import { subscriber } from "#tests/support/clients/customers.ts";
import { aDay, aShortDay, free, large, minor, pattern, price, small } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import {
  advance,
  advanceToRenewal,
  atOnce,
  choose,
  confirmation,
  customerOf,
  endAllPlans,
  invoicesOf,
  ordersOf,
  planPath,
  subscriptionOf,
} from "./subscribers.ts";

/** What is said about the data, up to the day. */
const [beforeDay = ""] = product.dataWhenSmaller.split("{day}");

const site = useSite({ vars: { LAUNCH_GATE: "none" } });
afterEach(() => endAllPlans(site));

const dayOf = (text: string) => pattern`${text} (${aDay})`;

async function confirmDowngrade(visitor: Visitor) {
  await choose(visitor, small.id);
  return visitor.press(
    beginningOf(changeMessages.en.submitLater(small.name, price(small), changeMessages.en.per.month, gap)),
  );
}

describe("a downgrade", () => {
  test("shows what is lost and when, costs nothing now, and begins with the next period", async () => {
    const address = "down@example.com";
    const visitor = await subscriber(site, address, { plan: large.id });
    await choose(visitor, small.id);
    expect(visitor.heading()).toBe(changeMessages.en.title(small.name));
    expect(visitor.text()).toContain(`${changeMessages.en.sum} ${changeMessages.en.nothing}`);
    expect(visitor.text()).toMatch(
      fillGaps(`${changeMessages.en.begins} ${changeMessages.en.beginsText(gap, large.name)}`, aDay),
    );
    expect(visitor.text()).toContain(
      `${changeMessages.en.next} ${beginningOf(changeMessages.en.nextText(price(small), gap))}`,
    );
    expect(visitor.text()).toContain(`${changeMessages.en.willHave} ${small.points.join(" ")}`);
    expect(visitor.text()).toContain(`${changeMessages.en.lost} ${pointsLost(large, small).join(" ")}`);
    await visitor.press(
      beginningOf(changeMessages.en.submitLater(small.name, price(small), changeMessages.en.per.month, gap)),
    );
    expect(visitor.path()).toBe(planPath);
    expect(visitor.text()).toContain(flashMessages.en["change-planned"]);
    expect(visitor.text()).toContain(planMessages.en.lead(large.name));
    const [, day] = fillGaps(planAheadMessages.en.pending.title(small.name, gap), aDay).exec(visitor.text()) ?? [];
    expect(visitor.text()).toContain(`${planMessages.en.next} ${planMessages.en.nextText(price(small), day ?? "")}`);
    expect(await invoicesOf(site, address)).toHaveLength(1);

    await visitor.open("/settings/upgrade");
    expect(visitor.text()).toMatch(fillGaps(upgradeMessages.en.begins(gap), aShortDay));
    expect(visitor.text()).toMatch(fillGaps(upgradeMessages.en.currentUntil(gap), aShortDay));

    await advanceToRenewal(site, address);
    await visitor.open(planPath);
    expect(visitor.text()).toContain(planMessages.en.lead(small.name));
    expect(visitor.text()).not.toContain(beginningOf(planAheadMessages.en.pending.title(small.name, gap)));
    expect(visitor.text()).toContain(latestOrdersMessages.en.what("renewal", small.name));
    expect((await ordersOf(site, address))[1]).toMatchObject({
      kind: "renewal",
      state: "paid",
      amountMinor: minor(small),
    });
    const subjects = (await site.emailsTo(address, 5)).map((email) => email.subject);
    expect(subjects).toContainEqual(expect.stringMatching(subjectOf("downgrade-planned")));
    expect(subjects).toContainEqual(expect.stringMatching(subjectOf("plan-changed")));
  });

  test("is undone from the plan page or the list of plans, after which nothing changes", async () => {
    const address = "undo@example.com";
    const visitor = await subscriber(site, address, { plan: large.id });
    for (const page of [planPath, "/settings/upgrade"]) {
      await confirmDowngrade(visitor);
      await visitor.open(page);
      await visitor.press(upgradeMessages.en.keep(large.name));
      expect(visitor.path()).toBe(planPath);
      expect(visitor.text()).toContain(flashMessages.en["change-undone"]);
      expect(visitor.text()).not.toContain(beginningOf(planAheadMessages.en.pending.title(small.name, gap)));
    }
    expect(await subscriptionOf(site, address)).toMatchObject({ schedule: null });
    await advanceToRenewal(site, address);
    await visitor.open(planPath);
    expect(visitor.text()).toContain(planMessages.en.lead(large.name));
    expect((await ordersOf(site, address))[1]).toMatchObject({ kind: "renewal", amountMinor: minor(large) });
  });

  test("is also undone by choosing the running plan", async () => {
    const visitor = await subscriber(site, "stay@example.com", { plan: large.id });
    await confirmDowngrade(visitor);
    await choose(visitor, large.id);
    expect(visitor.heading()).toBe(changeMessages.en.titleStay(large.name));
    expect(visitor.text()).toContain(
      `${changeMessages.en.instead} ${beginningOf(changeMessages.en.insteadText(small.name, gap))}`,
    );
    await visitor.press(changeMessages.en.submitStay(large.name, price(large), changeMessages.en.per.month));
    expect(visitor.path()).toBe(planPath);
    expect(visitor.text()).toContain(flashMessages.en["change-undone"]);
  });

  test("is stored once by twenty clicks, and replaced by another choice", async () => {
    const address = "clicks@example.com";
    const visitor = await subscriber(site, address, { plan: large.id, interval: "year" });
    await choose(visitor, small.id);
    const answers = await atOnce(
      site,
      visitor,
      Array.from({ length: 20 }, () => confirmation(visitor)),
    );
    // Ten a minute reach Stripe, and while it still answers the first, it refuses the others: they offer the same again.
    expect(answers.map(({ status }) => status).filter((status) => ![303, 429, 503].includes(status))).toEqual([]);
    await (await site.database()).exec("delete from quota_uses");
    for (const answer of answers.filter(({ status }) => status === 503)) {
      expect(await answer.text()).toContain(upgradeMessages.en.wayOn.again);
    }
    const [again] = await atOnce(site, visitor, [confirmation(visitor)]);
    const locations = [...answers, again].flatMap((answer) => answer?.headers.get("Location") ?? []);
    expect([...new Set(locations)]).toEqual([planPath]);
    const { item, schedule } = await subscriptionOf(site, address);
    expect([item.price.lookup_key, schedule]).toEqual([priceKey(large.id, "year"), expect.any(String)]);
    const schedules = await site.stripe?.sdk.subscriptionSchedules.list({ customer: await customerOf(site, address) });
    expect(schedules?.data.map(({ status }) => status)).toEqual(["active"]);
    await visitor.open(planPath);
    expect(visitor.text()).toMatch(dayOf(`${small.name} from`));
    await choose(visitor, large.id);
    expect(visitor.heading()).toBe(changeMessages.en.titleMonthly);
    expect(visitor.text()).not.toContain(changeMessages.en.lost);
    await visitor.press(beginningOf(changeMessages.en.submitIntervalLater.month(price(large), gap)));
    expect(visitor.text()).toMatch(fillGaps(planAheadMessages.en.pending.titleInterval.month(gap), aDay));
    expect(visitor.text()).not.toMatch(dayOf(`${small.name} from`));
    const planned = (await site.emailsTo(address, 4)).filter(({ subject }) =>
      subjectOf("downgrade-planned").test(subject),
    );
    expect(planned).toHaveLength(2);
  });

  test("from yearly to monthly waits for the year's end", async () => {
    const address = "monthly@example.com";
    const visitor = await subscriber(site, address, { interval: "year" });
    await visitor.open("/settings/upgrade?interval=month");
    await visitor.press(upgradeMessages.en.changeInterval.month);
    await visitor.press(beginningOf(changeMessages.en.submitIntervalLater.month(price(small), gap)));
    await advance(site, 300);
    await visitor.open(planPath);
    expect(visitor.text()).toContain(`${price(small, "year")} ${planMessages.en.per.year}`);
    await advance(site, 66);
    await visitor.open(planPath);
    expect(visitor.text()).toContain(`${price(small)} ${planMessages.en.per.month}`);
    expect((await ordersOf(site, address)).at(-1)).toMatchObject({ amountMinor: minor(small), interval: "month" });
  });

  test("that has begun can be followed by any other change: an upgrade now, or the end", async () => {
    const [more, end] = [
      await subscriber(site, "then-more@example.com", { plan: large.id }),
      await subscriber(site, "then-end@example.com", { plan: large.id }),
    ];
    for (const visitor of [more, end]) await confirmDowngrade(visitor);
    await advanceToRenewal(site, "then-end@example.com");
    await choose(more, large.id);
    await more.press(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    expect(more.heading()).toBe(paymentMessages.en.pages.change.success.title);
    await end.open(planPath);
    await end.press(endingMessages.en.cancel.button);
    expect(end.text()).toContain(flashMessages.en["plan-cancelled"]);
    expect(await subscriptionOf(site, "then-end@example.com")).toMatchObject({ cancel_at_period_end: true });
  });

  test("is replaced by an upgrade, which the page announces", async () => {
    const address = "back-again@example.com";
    const visitor = await subscriber(site, address);
    await site.stripe?.control("disorder", {});
    await choose(visitor, large.id);
    await visitor.press(beginningOf(changeMessages.en.submitNow(large.name, gap)));
    await confirmDowngrade(visitor);
    await choose(visitor, large.id, "year");
    expect(visitor.text()).toContain(
      `${changeMessages.en.instead} ${beginningOf(changeMessages.en.insteadText(small.name, gap))}`,
    );
    await visitor.press(beginningOf(changeMessages.en.submitInterval.year(gap)));
    expect(visitor.heading()).toBe(paymentMessages.en.pages.change.success.title);
    await visitor.open(planPath);
    expect(visitor.text()).not.toContain(beginningOf(planAheadMessages.en.pending.title(small.name, gap)));
    expect(await subscriptionOf(site, address)).toMatchObject({ schedule: null, priceKey: `${large.id}_year` });
  });
});

describe("cancelling a plan", () => {
  test("takes one click, can be undone by another until its last day, and ends the plan then", async () => {
    const address = "end@example.com";
    const visitor = await subscriber(site, address);
    await visitor.open(planPath);
    await visitor.press(endingMessages.en.cancel.button);
    expect(visitor.text()).toContain(flashMessages.en["plan-cancelled"]);
    const [, day] = fillGaps(endingMessages.en.resume.title(gap), aDay).exec(visitor.text()) ?? [];
    expect(visitor.text()).toContain(planMessages.en.endsSoon(day ?? ""));
    expect(visitor.text()).toContain(beforeDay);
    expect(visitor.text()).not.toContain(planMessages.en.next);
    expect(visitor.text()).toContain(askReasonMessages.en.title);
    await visitor.press(endingMessages.en.resume.button);
    expect(visitor.text()).toContain(flashMessages.en["plan-resumed"]);
    expect(visitor.text()).toContain(
      `${changeMessages.en.next} ${beginningOf(changeMessages.en.nextText(price(small), gap))}`,
    );
    await visitor.press(endingMessages.en.cancel.button);
    await advanceToRenewal(site, address);
    await visitor.open(planPath);
    expect(visitor.text()).toContain(planMessages.en.lead(free.name));
    expect(visitor.text()).toContain(planAheadMessages.en.ended.other(small.name, day ?? "no day"));
    expect(await invoicesOf(site, address)).toHaveLength(1);
  });

  test("is done by choosing Free, which shows what is lost and until when", async () => {
    const visitor = await subscriber(site, "free@example.com");
    await visitor.open("/settings/upgrade");
    await visitor.press(upgradeMessages.en.change(free.name));
    expect(visitor.heading()).toBe(changeMessages.en.title(free.name));
    expect(visitor.text()).toContain(`${changeMessages.en.lost} ${pointsLost(small, free).join(" ")}`);
    expect(visitor.text()).toMatch(
      fillGaps(`${changeMessages.en.ends(small.name)} ${changeMessages.en.endsText(gap, false)}`, aDay),
    );
    await visitor.press(beginningOf(changeMessages.en.submitEnd(free.name, gap)));
    expect(visitor.path()).toBe(planPath);
    expect(visitor.text()).toContain(flashMessages.en["plan-cancelled"]);
    await visitor.open("/settings/upgrade");
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["plan-ends"]);
    expect(visitor.text()).not.toContain(upgradeMessages.en.change(large.name));
    await choose(visitor, free.id);
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["cancelled-already"]);
  });

  test("cancels a scheduled change", async () => {
    const visitor = await subscriber(site, "instead@example.com", { plan: large.id });
    await confirmDowngrade(visitor);
    await visitor.press(endingMessages.en.cancel.button);
    expect(visitor.text()).not.toContain(beginningOf(planAheadMessages.en.pending.title(small.name, gap)));
    await advanceToRenewal(site, "instead@example.com");
    await visitor.open(planPath);
    expect(visitor.text()).toContain(beginningOf(planAheadMessages.en.ended.other(large.name, gap)));
  });
});

describe("an impossible change", () => {
  test("is refused with a message and a way to continue, before and after the button", async () => {
    const address = "words@example.com";
    const visitor = await subscriber(site, address);
    await choose(visitor, small.id);
    expect(visitor.status).toBe(200);
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["same-plan"]);
    await choose(visitor, "gold");
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["plan-unknown"]);
    await choose(visitor, large.id);
    const fields = confirmation(visitor);
    for (const [plan, status, refusal] of [
      [small.id, 409, offerRefusalMessages.en.refusals["same-plan"]],
      ["gold", 422, offerRefusalMessages.en.refusals["plan-unknown"]],
    ] as const) {
      await visitor.post({ ...fields, plan }, "/settings/upgrade");
      expect([plan, visitor.status]).toEqual([plan, status]);
      expect(visitor.text()).toContain(refusal);
    }
    await visitor.post({ intent: "cancel" }, planPath);
    await visitor.post(fields, "/settings/upgrade");
    expect(visitor.status).toBe(409);
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["plan-ends"]);
    await visitor.press(upgradeMessages.en.wayOn.keep);
    expect(visitor.text()).toContain(`${small.name} ${planMessages.en.states.active}`);
    expect(await invoicesOf(site, address)).toHaveLength(1);
  });
});
