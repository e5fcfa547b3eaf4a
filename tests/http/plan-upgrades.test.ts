import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Site, startSite } from "#tests/support/site.ts";
import {
  advance,
  cards,
  changeCard,
  choose,
  customerOf,
  euros,
  invoicesOf,
  ordersOf,
  planPath,
  quoted,
  send,
  subscriber,
  subscriptionOf,
} from "./subscribers.ts";

let site: Site;

beforeAll(async () => {
  site = await startSite({ vars: { LAUNCH_GATE: "none" } });
});
afterAll(() => site.close());

/** What of an amount is for the rest of the running period, as Stripe counts: by seconds. */
async function restOf(address: string, amountMinor: number, prorationAt: number): Promise<number> {
  const { item } = await subscriptionOf(site, address);
  const { current_period_start: start, current_period_end: end } = item;
  return Math.round((amountMinor * (end - prorationAt / 1000)) / (end - start));
}

async function giveCredit(address: string, amountMinor: number) {
  const customer = await customerOf(site, address);
  await site.stripe?.sdk.customers.createBalanceTransaction(customer, { amount: -amountMinor, currency: "eur" });
}

describe("an upgrade", () => {
  test("is charged by the second for the rest of the period, to the cent that the page said, and says so everywhere", async () => {
    const address = "up@example.com";
    const visitor = await subscriber(site, address);
    await advance(site, 11);
    await choose(visitor, "studio");
    expect(visitor.path()).toBe("/settings/upgrade?plan=studio&interval=month");
    expect(visitor.heading()).toBe("Change to Studio");
    const { amountMinor, prorationAt } = quoted(visitor);
    const unused = await restOf(address, 600, prorationAt);
    const remaining = await restOf(address, 1500, prorationAt);
    expect(amountMinor).toBe(remaining - unused);
    expect(amountMinor).toBeLessThan(900);
    expect(visitor.text()).toContain(`Personal, paid for and not used ${euros(-unused)}`);
    expect(visitor.text()).toMatch(new RegExp(`Studio until \\w+ \\d+, \\d{4} \\${euros(remaining)}`));
    expect(visitor.text()).toContain(`Charged now ${euros(amountMinor)}`);
    expect(visitor.text()).toMatch(/Next charge €15\.00 on \w+ \d+, \d{4}/);

    await visitor.press(`Change to Studio and pay ${euros(amountMinor)} now`);
    expect(visitor.path()).toMatch(/^\/payment\/success\?order=ord_/);
    expect(visitor.heading()).toBe("Your plan is changed");
    expect(visitor.text()).toContain("You are on Tern Studio now.");
    expect(visitor.text()).toMatch(/Tern Studio, paid by the month Since \w+ \d+, \d{4}/);
    const [invoice] = await invoicesOf(site, address);
    expect(invoice).toMatchObject({ status: "paid", amount_paid: amountMinor });
    expect(await ordersOf(site, address)).toMatchObject([
      { kind: "new-plan", state: "paid", amountMinor: 600 },
      { kind: "change", state: "paid", amountMinor, planId: "studio" },
    ]);
    await visitor.open(planPath);
    expect(visitor.text()).toContain("You are on Studio.");
    expect(visitor.text()).toContain(`Studio, change`);
    const mails = await site.mailsTo(address, 4);
    expect(mails.map((mail) => mail.subject)).toContain("You changed your Tern plan");
  });

  test("takes credit first, and says how much of it", async () => {
    const address = "credit@example.com";
    const visitor = await subscriber(site, address);
    await giveCredit(address, 200);
    await choose(visitor, "studio");
    const { amountMinor, prorationAt } = quoted(visitor);
    expect(amountMinor).toBe(
      (await restOf(address, 1500, prorationAt)) - (await restOf(address, 600, prorationAt)) - 200,
    );
    expect(visitor.text()).toContain(`Credit used ${euros(-200)}`);
    await visitor.press("Change to Studio and pay");
    expect(visitor.heading()).toBe("Your plan is changed");
    expect((await invoicesOf(site, address))[0]).toMatchObject({ status: "paid", amount_paid: amountMinor });
    expect((await ordersOf(site, address))[1]).toMatchObject({ state: "paid", amountMinor, creditMinor: 200 });
  });

  test("that credit covers whole costs nothing now, and the next charge is less by what is left of it", async () => {
    const address = "covered@example.com";
    const visitor = await subscriber(site, address);
    await giveCredit(address, 1000);
    await choose(visitor, "studio");
    expect(quoted(visitor).amountMinor).toBe(0);
    expect(visitor.text()).toMatch(/Credit used -€9\.00 .*Charged now €0\.00/);
    expect(visitor.text()).toMatch(/Next charge €14\.00 on/);
    await visitor.press("Change to Studio and pay €0.00 now");
    expect(visitor.heading()).toBe("Your plan is changed");
    await visitor.open(planPath);
    expect(visitor.text()).toMatch(/Next charge €14\.00 on .* Your credit €1\.00, taken off the next charges/);
  });

  test("from monthly to yearly begins a year now, less the month that isn't used", async () => {
    const address = "yearly@example.com";
    const visitor = await subscriber(site, address);
    await visitor.open("/settings/upgrade?interval=year");
    await visitor.press("Change to yearly");
    expect(visitor.heading()).toBe("Personal, paid by the year");
    const { amountMinor, prorationAt } = quoted(visitor);
    expect(amountMinor).toBe(6000 - (await restOf(address, 600, prorationAt)));
    await visitor.press(`Change to Personal and pay ${euros(amountMinor)} now`);
    expect(visitor.heading()).toBe("Your plan is changed");
    expect(await subscriptionOf(site, address)).toMatchObject({ priceKey: "personal_year" });
    await visitor.open(planPath);
    expect(visitor.text()).toContain("Price €60.00 a year");
  });
});

describe("an upgrade whose payment", () => {
  test("is declined leaves the old plan as it is, says why, and goes through with another card", async () => {
    const address = "declined@example.com";
    const visitor = await subscriber(site, address, { card: cards.failsLater });
    await choose(visitor, "studio");
    await visitor.press("Change to Studio and pay");
    expect(visitor.path()).toMatch(/^\/payment\/failed\?order=/);
    expect(visitor.heading()).toBe("The change did not go through");
    expect(visitor.text()).toContain("Nothing was charged for Tern Studio, and your plan goes on as it is.");
    expect(visitor.text()).toContain("Your bank declined the card");
    const failed = visitor.url;
    await visitor.open(planPath);
    expect(visitor.text()).toContain("You are on Personal.");
    expect(visitor.text()).toContain("Your change to Studio is not paid");

    await visitor.open(failed);
    await changeCard(visitor, cards.good);
    await visitor.open(failed);
    expect(visitor.html).toContain("/settings/upgrade?plan=studio&amp;interval=month");
    await choose(visitor, "studio");
    expect(visitor.text()).toContain("Your change to Studio is not paid yet");
    await visitor.press("Change to Studio and pay");
    expect(visitor.heading()).toBe("Your plan is changed");
    expect((await ordersOf(site, address)).map(({ state }) => state)).toEqual(["paid", "cancelled", "paid"]);
    expect((await invoicesOf(site, address)).map(({ status }) => status)).toEqual(["paid", "void", "paid"]);
  });

  test("is declined can be paid again from the plan's page, or given up there", async () => {
    const address = "given-up@example.com";
    const visitor = await subscriber(site, address, { card: cards.failsLater });
    await choose(visitor, "studio");
    await visitor.press("Change to Studio and pay");
    await visitor.press("Give the change up");
    expect(visitor.path()).toBe(planPath);
    expect(visitor.text()).toContain("That change is given up.");
    expect(visitor.text()).not.toContain("is not paid");
    expect((await invoicesOf(site, address))[0]).toMatchObject({ status: "void" });
    expect((await ordersOf(site, address))[1]).toMatchObject({ state: "cancelled" });
    expect(await subscriptionOf(site, address)).toMatchObject({ priceKey: "personal_month", pending_update: null });
    await visitor.post({ intent: "undo-change" }, planPath);
    expect(visitor.status).toBe(409);
    expect(visitor.text()).toContain("Nothing is going to change any more.");
  });

  test("is declined is over after a day, and the page says so", async () => {
    const address = "forgotten@example.com";
    const visitor = await subscriber(site, address, { card: cards.failsLater });
    await choose(visitor, "studio");
    await visitor.press("Change to Studio and pay");
    const failed = visitor.url;
    await advance(site, 1);
    await visitor.open(failed);
    expect(visitor.path()).toMatch(/^\/payment\/cancelled/);
    expect(visitor.text()).toContain("The change to Tern Studio was given up, and your plan goes on as it is.");
  });

  test("wants a confirmation leads to the invoice's page, and is done once that is given", async () => {
    const address = "asked@example.com";
    const visitor = await subscriber(site, address, { card: cards.asksAlways });
    await choose(visitor, "studio");
    await visitor.press("Change to Studio and pay");
    expect(visitor.path()).toMatch(/^\/payment\/action\?order=/);
    expect(visitor.heading()).toBe("Your bank wants a confirmation");
    expect(visitor.text()).toContain("Until then your plan goes on as it is.");
    const page = visitor.url;
    const invoicePage = /href="([^"]*\/invoices\/[^"]*)"/.exec(visitor.html)?.[1] ?? "";
    expect(new URL(invoicePage).origin).toBe(site.stripe?.origin);
    await visitor.open(planPath);
    expect(visitor.text()).toContain("You are on Personal.");
    await send(invoicePage, { answer: "complete" });
    await visitor.open(page);
    expect(visitor.path()).toMatch(/^\/payment\/success/);
    expect(visitor.text()).toContain("You are on Tern Studio now.");
  });

  test("wants a confirmation that fails has failed, with its reason", async () => {
    const visitor = await subscriber(site, "refused@example.com", { card: cards.asksAlways });
    await choose(visitor, "studio");
    await visitor.press("Change to Studio and pay");
    const page = visitor.url;
    await send(/href="([^"]*\/invoices\/[^"]*)"/.exec(visitor.html)?.[1] ?? "", { answer: "fail" });
    await visitor.open(page);
    expect(visitor.path()).toMatch(/^\/payment\/failed/);
    expect(visitor.text()).toContain("The confirmation that your bank asks for was not completed.");
  });
});
