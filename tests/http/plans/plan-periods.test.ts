import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { pointsLost } from "#app/modules/subscriptions/change.rules.ts";
import { priceKey } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { planMessages } from "#app/routes/settings/plan/messages.ts";
import { subscriber } from "#tests/support/clients/customers.ts";
import { aDay, free, large, minor, pattern, price, small } from "#tests/support/billing/catalogue.ts";
import { type Site, startSite } from "#tests/support/site/site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import {
  advance,
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

let site: Site;

beforeAll(async () => {
  site = await startSite({ vars: { LAUNCH_GATE: "none" } });
});
afterEach(() => endAllPlans(site));
afterAll(() => site.close());

/** A period with its hour of drafts. */
const month = 31.1;
const dayOf = (text: string) => pattern`${text} (${aDay})`;

async function confirmDowngrade(visitor: Visitor) {
  await choose(visitor, small.id);
  return visitor.press(`Change to ${small.name} for ${price(small)} a month from`);
}

describe("a downgrade", () => {
  test("says what is lost and when, costs nothing now, and begins with the next period", async () => {
    const address = "down@example.com";
    const visitor = await subscriber(site, address, { plan: large.id });
    await choose(visitor, small.id);
    expect(visitor.heading()).toBe(`Change to ${small.name}`);
    expect(visitor.text()).toContain("Charged now nothing");
    expect(visitor.text()).toMatch(pattern`Begins on ${aDay}; until then ${large.name} goes on as it is`);
    expect(visitor.text()).toContain(`Next charge ${price(small)} on`);
    expect(visitor.text()).toContain(`What goes ${pointsLost(large, small).join(" ")}`);
    expect(visitor.text()).toContain(`You keep ${small.points.join(" ")}`);
    await visitor.press(`Change to ${small.name} for ${price(small)} a month from`);
    expect(visitor.path()).toBe(planPath);
    expect(visitor.text()).toContain("Your change of plan is noted.");
    expect(visitor.text()).toContain(`You are on ${large.name}.`);
    const [, day] = dayOf(`${small.name} from`).exec(visitor.text()) ?? [];
    expect(visitor.text()).toContain(`Next charge ${price(small)} on ${day}`);
    expect(await invoicesOf(site, address)).toHaveLength(1);

    await visitor.open("/settings/upgrade");
    expect(visitor.text()).toContain(`Begins on ${day}`);
    expect(visitor.text()).toContain(`Your plan until ${day}`);

    await advance(site, month);
    await visitor.open(planPath);
    expect(visitor.text()).toContain(`You are on ${small.name}.`);
    expect(visitor.text()).not.toContain(`${small.name} from`);
    expect(visitor.text()).toContain(`${small.name}, renewal`);
    expect((await ordersOf(site, address))[1]).toMatchObject({
      kind: "renewal",
      state: "paid",
      amountMinor: minor(small),
    });
    const subjects = (await site.mailsTo(address, 5)).map((mail) => mail.subject);
    expect(subjects).toContain(`Your ${product.name} plan is going to change`);
    expect(subjects).toContain(`You changed your ${product.name} plan`);
  });

  test("is undone from the plan's page or the list of plans, and then nothing changes", async () => {
    const address = "undo@example.com";
    const visitor = await subscriber(site, address, { plan: large.id });
    for (const page of [planPath, "/settings/upgrade"]) {
      await confirmDowngrade(visitor);
      await visitor.open(page);
      await visitor.press(`Keep ${large.name}`);
      expect(visitor.path()).toBe(planPath);
      expect(visitor.text()).toContain("Your plan stays as it is.");
      expect(visitor.text()).not.toContain(`${small.name} from`);
    }
    expect(await subscriptionOf(site, address)).toMatchObject({ schedule: null });
    await advance(site, month);
    await visitor.open(planPath);
    expect(visitor.text()).toContain(`You are on ${large.name}.`);
    expect((await ordersOf(site, address))[1]).toMatchObject({ kind: "renewal", amountMinor: minor(large) });
  });

  test("is undone by choosing the running plan, too", async () => {
    const visitor = await subscriber(site, "stay@example.com", { plan: large.id });
    await confirmDowngrade(visitor);
    await choose(visitor, large.id);
    expect(visitor.heading()).toBe(`Keep ${large.name}`);
    expect(visitor.text()).toContain(`Does not happen ${small.name} on`);
    await visitor.press(`Keep ${large.name} for ${price(large)} a month`);
    expect(visitor.path()).toBe(planPath);
    expect(visitor.text()).toContain("Your plan stays as it is.");
  });

  test("is stored once by twenty clicks, and another choice replaces it", async () => {
    const address = "clicks@example.com";
    const visitor = await subscriber(site, address, { plan: large.id, interval: "year" });
    await choose(visitor, small.id);
    const answers = await atOnce(
      site,
      visitor,
      Array.from({ length: 20 }, () => confirmation(visitor)),
    );
    // Twenty calls at once can be more than the payment provider answers in time: those say so, and offer the same
    // again.
    for (const answer of answers.filter(({ status }) => status !== 303)) {
      expect(answer.status).toBe(503);
      expect(await answer.text()).toMatch(/Nothing was charged[^]*Try again/);
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
    expect(visitor.heading()).toBe(`${large.name}, paid by the month`);
    expect(visitor.text()).not.toContain("What goes");
    await visitor.press(`Pay by the month: ${price(large)} from`);
    expect(visitor.text()).toMatch(dayOf(`${large.name} from`));
    expect(visitor.text()).not.toMatch(dayOf(`${small.name} from`));
    const planned = (await site.mailsTo(address, 4)).filter(({ subject }) => subject.includes("going to change"));
    expect(planned).toHaveLength(2);
  });

  test("from yearly to monthly waits for the year's end", async () => {
    const address = "monthly@example.com";
    const visitor = await subscriber(site, address, { interval: "year" });
    await visitor.open("/settings/upgrade?interval=month");
    await visitor.press("Change to monthly");
    await visitor.press(`Pay by the month: ${price(small)} from`);
    await advance(site, 300);
    await visitor.open(planPath);
    expect(visitor.text()).toContain(`Price ${price(small, "year")} a year`);
    await advance(site, 66);
    await visitor.open(planPath);
    expect(visitor.text()).toContain(`Price ${price(small)} a month`);
    expect((await ordersOf(site, address)).at(-1)).toMatchObject({ amountMinor: minor(small), interval: "month" });
  });

  test("that has begun can be followed by any other: more at once, or the end", async () => {
    const [more, end] = [
      await subscriber(site, "then-more@example.com", { plan: large.id }),
      await subscriber(site, "then-end@example.com", { plan: large.id }),
    ];
    for (const visitor of [more, end]) await confirmDowngrade(visitor);
    await advance(site, month);
    await choose(more, large.id);
    await more.press(`Change to ${large.name} and pay`);
    expect(more.heading()).toBe("Your plan is changed");
    await end.open(planPath);
    await end.press("Cancel at the end of the period");
    expect(end.text()).toContain("Your plan is cancelled, and ends with its period.");
    expect(await subscriptionOf(site, "then-end@example.com")).toMatchObject({ cancel_at_period_end: true });
  });

  test("is replaced by an upgrade, and the page says so before", async () => {
    const address = "back-again@example.com";
    const visitor = await subscriber(site, address);
    await site.stripe?.control("disorder", {});
    await choose(visitor, large.id);
    await visitor.press(`Change to ${large.name} and pay`);
    await confirmDowngrade(visitor);
    await choose(visitor, large.id, "year");
    expect(visitor.text()).toContain(`Does not happen ${small.name} on`);
    await visitor.press("Pay by the year: ");
    expect(visitor.heading()).toBe("Your plan is changed");
    await visitor.open(planPath);
    expect(visitor.text()).not.toContain(`${small.name} from`);
    expect(await subscriptionOf(site, address)).toMatchObject({ schedule: null, priceKey: `${large.id}_year` });
  });
});

describe("the end of a plan", () => {
  test("is one click, undone by another until its day, and then it is over", async () => {
    const address = "end@example.com";
    const visitor = await subscriber(site, address);
    await visitor.open(planPath);
    await visitor.press("Cancel at the end of the period");
    expect(visitor.text()).toContain("Your plan is cancelled, and ends with its period.");
    const [, day] = dayOf("It ends on").exec(visitor.text()) ?? [];
    expect(visitor.text()).toContain(`Ends ${day}`);
    expect(visitor.text()).not.toContain("Next charge");
    expect(visitor.html).toContain(
      `mailto:${product.support}?subject=${encodeURIComponent(`Why I cancel ${small.name}`)}`,
    );
    await visitor.press("Keep my plan");
    expect(visitor.text()).toContain("Your plan goes on.");
    expect(visitor.text()).toContain(`Next charge ${price(small)} on`);
    await visitor.press("Cancel at the end of the period");
    await advance(site, month);
    await visitor.open(planPath);
    expect(visitor.text()).toContain(`You are on ${free.name}.`);
    expect(visitor.text()).toContain(planMessages.en.free.ended(small.name, day ?? "no day"));
    expect(await invoicesOf(site, address)).toHaveLength(1);
  });

  test("is choosing Free, which says what is lost and until when", async () => {
    const visitor = await subscriber(site, "free@example.com");
    await visitor.open("/settings/upgrade");
    await visitor.press(`Change to ${free.name}`);
    expect(visitor.heading()).toBe(`Cancel ${small.name}`);
    expect(visitor.text()).toContain(`What goes ${pointsLost(small, free).join(" ")}`);
    expect(visitor.text()).toMatch(pattern`Ends on ${aDay}; until then everything stays as it is`);
    await visitor.press(`Cancel ${small.name}, ending on`);
    expect(visitor.path()).toBe(planPath);
    expect(visitor.text()).toContain("Your plan is cancelled, and ends with its period.");
    await visitor.open("/settings/upgrade");
    expect(visitor.text()).toContain("Your plan is cancelled. Keep it first");
    expect(visitor.text()).not.toContain(`Change to ${large.name}`);
    await choose(visitor, free.id);
    expect(visitor.text()).toContain("Your plan is already cancelled, and ends with its period.");
  });

  test("cancels what was scheduled in its place", async () => {
    const visitor = await subscriber(site, "instead@example.com", { plan: large.id });
    await confirmDowngrade(visitor);
    await visitor.press("Cancel at the end of the period");
    expect(visitor.text()).not.toContain(`${small.name} from`);
    await advance(site, month);
    await visitor.open(planPath);
    expect(visitor.text()).toContain(`${large.name} ended on`);
  });
});

describe("a change that isn't possible", () => {
  test("is refused with a message and a way to continue, before and after the button", async () => {
    const address = "words@example.com";
    const visitor = await subscriber(site, address);
    await choose(visitor, small.id);
    expect(visitor.status).toBe(200);
    expect(visitor.text()).toContain("That is the plan you are on.");
    await choose(visitor, "gold");
    expect(visitor.text()).toContain("There is no such plan any more.");
    await choose(visitor, large.id);
    const fields = confirmation(visitor);
    for (const [plan, status, messages] of [
      [small.id, 409, "That is the plan you are on."],
      ["gold", 422, "There is no such plan any more."],
    ] as const) {
      await visitor.post({ ...fields, plan }, "/settings/upgrade");
      expect([plan, visitor.status]).toEqual([plan, status]);
      expect(visitor.text()).toContain(messages);
    }
    await visitor.post({ intent: "cancel" }, planPath);
    await visitor.post(fields, "/settings/upgrade");
    expect(visitor.status).toBe(409);
    expect(visitor.text()).toContain("Your plan is cancelled. Keep it first");
    expect(visitor.html).toContain(`<a href="${planPath}"`);
    expect(await invoicesOf(site, address)).toHaveLength(1);
  });
});
