import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Site, startSite } from "#tests/support/site.ts";
import type { Visitor } from "#tests/support/visitor.ts";
import {
  advance,
  atOnce,
  choose,
  confirmation,
  endAllPlans,
  invoicesOf,
  ordersOf,
  planPath,
  subscriber,
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
const dayOf = (text: string) => new RegExp(`${text} (\\w+ \\d+, \\d{4})`);

async function confirmDowngrade(visitor: Visitor) {
  await choose(visitor, "personal");
  return visitor.press("Change to Personal for €6.00 a month from");
}

describe("a change to less", () => {
  test("says what goes and when, costs nothing now, and begins with the next period", async () => {
    const address = "down@example.com";
    const visitor = await subscriber(site, address, { plan: "studio" });
    await choose(visitor, "personal");
    expect(visitor.heading()).toBe("Change to Personal");
    expect(visitor.text()).toContain("Charged now nothing");
    expect(visitor.text()).toMatch(/Begins on \w+ \d+, \d{4}; until then Studio goes on as it is/);
    expect(visitor.text()).toMatch(/Next charge €6\.00 on/);
    expect(visitor.text()).toContain("What goes 10 devices · 3 TB of storage · Every version, for as long as you stay");
    expect(visitor.text()).toContain("You keep 3 devices · 500 GB of storage · Every version for a year");
    await visitor.press("Change to Personal for €6.00 a month from");
    expect(visitor.path()).toBe(planPath);
    expect(visitor.text()).toContain("Your change of plan is noted.");
    expect(visitor.text()).toContain("You are on Studio.");
    const [, day] = dayOf("Personal from").exec(visitor.text()) ?? [];
    expect(visitor.text()).toContain(`Next charge €6.00 on ${day}`);
    expect(await invoicesOf(site, address)).toHaveLength(1);

    await visitor.open("/settings/upgrade");
    expect(visitor.text()).toContain(`Begins on ${day}`);
    expect(visitor.text()).toContain(`Your plan until ${day}`);

    await advance(site, month);
    await visitor.open(planPath);
    expect(visitor.text()).toContain("You are on Personal.");
    expect(visitor.text()).not.toContain("Personal from");
    expect(visitor.text()).toContain("Personal, renewal");
    expect((await ordersOf(site, address))[1]).toMatchObject({ kind: "renewal", state: "paid", amountMinor: 600 });
    const subjects = (await site.mailsTo(address, 5)).map((mail) => mail.subject);
    expect(subjects).toContain("Your Tern plan is going to change");
    expect(subjects).toContain("You changed your Tern plan");
  });

  test("is taken back from the plan's page or the list of plans, and then nothing changes", async () => {
    const address = "undo@example.com";
    const visitor = await subscriber(site, address, { plan: "studio" });
    for (const page of [planPath, "/settings/upgrade"]) {
      await confirmDowngrade(visitor);
      await visitor.open(page);
      await visitor.press("Keep Studio");
      expect(visitor.path()).toBe(planPath);
      expect(visitor.text()).toContain("Your plan stays as it is.");
      expect(visitor.text()).not.toContain("Personal from");
    }
    expect(await subscriptionOf(site, address)).toMatchObject({ schedule: null });
    await advance(site, month);
    await visitor.open(planPath);
    expect(visitor.text()).toContain("You are on Studio.");
    expect((await ordersOf(site, address))[1]).toMatchObject({ kind: "renewal", amountMinor: 1500 });
  });

  test("is taken back by choosing what runs, too", async () => {
    const visitor = await subscriber(site, "stay@example.com", { plan: "studio" });
    await confirmDowngrade(visitor);
    await choose(visitor, "studio");
    expect(visitor.heading()).toBe("Keep Studio");
    expect(visitor.text()).toMatch(/Does not happen Personal on/);
    await visitor.press("Keep Studio for €15.00 a month");
    expect(visitor.path()).toBe(planPath);
    expect(visitor.text()).toContain("Your plan stays as it is.");
  });

  test("is noted once by twenty clicks, and another choice takes its place", async () => {
    const address = "clicks@example.com";
    const visitor = await subscriber(site, address, { plan: "studio", interval: "year" });
    await choose(visitor, "personal");
    const answers = await atOnce(
      site,
      visitor,
      Array.from({ length: 20 }, () => confirmation(visitor)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    await visitor.open(planPath);
    expect(visitor.text()).toMatch(dayOf("Personal from"));
    await choose(visitor, "studio");
    expect(visitor.heading()).toBe("Studio, paid by the month");
    expect(visitor.text()).not.toContain("What goes");
    await visitor.press("Change to Studio for €15.00 a month from");
    expect(visitor.text()).toMatch(dayOf("Studio from"));
    expect(visitor.text()).not.toMatch(dayOf("Personal from"));
    const planned = (await site.mailsTo(address, 4)).filter(({ subject }) => subject.includes("going to change"));
    expect(planned).toHaveLength(2);
  });

  test("from yearly to monthly waits for the year's end", async () => {
    const address = "monthly@example.com";
    const visitor = await subscriber(site, address, { interval: "year" });
    await visitor.open("/settings/upgrade?interval=month");
    await visitor.press("Change to monthly");
    await visitor.press("Change to Personal for €6.00 a month from");
    await advance(site, 300);
    await visitor.open(planPath);
    expect(visitor.text()).toContain("Price €60.00 a year");
    await advance(site, 66);
    await visitor.open(planPath);
    expect(visitor.text()).toContain("Price €6.00 a month");
    expect((await ordersOf(site, address)).at(-1)).toMatchObject({ amountMinor: 600, interval: "month" });
  });

  test("that has come true can be followed by any other: more at once, or the end", async () => {
    const [more, end] = [
      await subscriber(site, "then-more@example.com", { plan: "studio" }),
      await subscriber(site, "then-end@example.com", { plan: "studio" }),
    ];
    for (const visitor of [more, end]) await confirmDowngrade(visitor);
    await advance(site, month);
    await choose(more, "studio");
    await more.press("Change to Studio and pay");
    expect(more.heading()).toBe("Your plan is changed");
    await end.open(planPath);
    await end.press("End it with the period");
    expect(end.text()).toContain("Your plan ends with its period.");
    expect(await subscriptionOf(site, "then-end@example.com")).toMatchObject({ cancel_at_period_end: true });
  });

  test("makes way for an upgrade, and the page says so before", async () => {
    const address = "back-up@example.com";
    const visitor = await subscriber(site, address);
    await site.stripe?.control("disorder", {});
    await choose(visitor, "studio");
    await visitor.press("Change to Studio and pay");
    await confirmDowngrade(visitor);
    await choose(visitor, "studio", "year");
    expect(visitor.text()).toMatch(/Does not happen Personal on/);
    await visitor.press("Change to Studio and pay");
    expect(visitor.heading()).toBe("Your plan is changed");
    await visitor.open(planPath);
    expect(visitor.text()).not.toContain("Personal from");
    expect(await subscriptionOf(site, address)).toMatchObject({ schedule: null, priceKey: "studio_year" });
  });
});

describe("the end of a plan", () => {
  test("is one click, taken back by another until its day, and then it is over", async () => {
    const address = "end@example.com";
    const visitor = await subscriber(site, address);
    await visitor.open(planPath);
    await visitor.press("End it with the period");
    expect(visitor.text()).toContain("Your plan ends with its period.");
    const [, day] = dayOf("It ends on").exec(visitor.text()) ?? [];
    expect(visitor.text()).toContain(`Ends ${day}`);
    expect(visitor.text()).not.toContain("Next charge");
    expect(visitor.html).toContain("mailto:help@tern.example?subject=Why%20I%20end%20Personal");
    await visitor.press("Let it go on");
    expect(visitor.text()).toContain("Your plan goes on.");
    expect(visitor.text()).toContain("Next charge €6.00 on");
    await visitor.press("End it with the period");
    await advance(site, month);
    await visitor.open(planPath);
    expect(visitor.text()).toContain("You are on Free.");
    expect(visitor.text()).toContain(`Personal ended on ${day}. Nothing more is collected for it.`);
    expect(await invoicesOf(site, address)).toHaveLength(1);
  });

  test("is choosing Free, which says what goes and until when", async () => {
    const visitor = await subscriber(site, "free@example.com");
    await visitor.open("/settings/upgrade");
    await visitor.press("Change to Free");
    expect(visitor.heading()).toBe("End Personal");
    expect(visitor.text()).toContain("What goes 3 devices · 500 GB of storage · Every version for a year");
    expect(visitor.text()).toMatch(/Ends on \w+ \d+, \d{4}; until then everything stays as it is/);
    await visitor.press("End Personal on");
    expect(visitor.path()).toBe(planPath);
    expect(visitor.text()).toContain("Your plan ends with its period.");
    await visitor.open("/settings/upgrade");
    expect(visitor.text()).toContain("Your plan ends with its period. Let it go on first");
    expect(visitor.text()).not.toContain("Change to Studio");
    await choose(visitor, "free");
    expect(visitor.text()).toContain("Your plan ends with its period already.");
  });

  test("gives up what was to begin in its place", async () => {
    const visitor = await subscriber(site, "instead@example.com", { plan: "studio" });
    await confirmDowngrade(visitor);
    await visitor.press("End it with the period");
    expect(visitor.text()).not.toContain("Personal from");
    await advance(site, month);
    await visitor.open(planPath);
    expect(visitor.text()).toContain("Studio ended on");
  });
});

describe("what can't be had", () => {
  test("is said in words, with a way on, before and after the button", async () => {
    const address = "words@example.com";
    const visitor = await subscriber(site, address);
    await choose(visitor, "personal");
    expect(visitor.status).toBe(200);
    expect(visitor.text()).toContain("That is the plan you are on.");
    await choose(visitor, "gold");
    expect(visitor.text()).toContain("There is no such plan any more.");
    await choose(visitor, "studio");
    const fields = confirmation(visitor);
    for (const [plan, status, words] of [
      ["personal", 409, "That is the plan you are on."],
      ["gold", 422, "There is no such plan any more."],
    ] as const) {
      await visitor.post({ ...fields, plan }, "/settings/upgrade");
      expect([plan, visitor.status]).toEqual([plan, status]);
      expect(visitor.text()).toContain(words);
    }
    await visitor.post({ intent: "cancel" }, planPath);
    await visitor.post(fields, "/settings/upgrade");
    expect(visitor.status).toBe(409);
    expect(visitor.text()).toContain("Your plan ends with its period. Let it go on first");
    expect(visitor.html).toContain(`<a href="${planPath}"`);
    expect(await invoicesOf(site, address)).toHaveLength(1);
  });
});
