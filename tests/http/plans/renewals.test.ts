import { planMessages, latestOrdersMessages } from "#app/routes/settings/plan/messages.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import { formatDay } from "#app/core/time/time.ts";
import { afterEach, describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { subscriber } from "#tests/support/clients/customers.ts";
import { minor, price, small } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { advance, endAllPlans, invoicesOf, ordersOf, planPath, providerNow, subscriptionOf } from "./subscribers.ts";
import { asShown } from "#tests/support/clients/html.ts";

const site = useSite({ vars: { LAUNCH_GATE: "none" } });
afterEach(() => endAllPlans(site));

const daySeconds = 86_400;

/** Advances the provider's clock to a moment in its future. */
async function advanceTo(moment: number) {
  await advance(site, (moment - (await providerNow(site))) / daySeconds);
}

/** Noon of the next such day by the provider's clock. */
async function nextDay(month: number, day: number): Promise<number> {
  const now = await providerNow(site);
  for (let year = new Date(now * 1000).getUTCFullYear(); ; year += 1) {
    const moment = Date.UTC(year, month - 1, day, 12) / 1000;
    if (moment > now && new Date(moment * 1000).getUTCDate() === day) return moment;
  }
}

async function dueDays(address: string): Promise<string[]> {
  const invoices = await invoicesOf(site, address);
  return invoices.map(({ created }) => new Date(created * 1000).toISOString().slice(5, 10)).reverse();
}

describe("a plan that runs for a year", () => {
  test("begun on 31 January is charged on the last day of shorter months, and on the 31st otherwise", async () => {
    const address = "january@example.com";
    await advanceTo(await nextDay(1, 31));
    const visitor = await subscriber(site, address);
    for (let renewal = 1; renewal <= 12; renewal += 1) {
      const { item } = await subscriptionOf(site, address);
      await visitor.open(planPath);
      const day = new Intl.DateTimeFormat(product.locale, { dateStyle: "long", timeZone: product.timeZone });
      expect(visitor.text()).toContain(
        `${planMessages.en.next} ${planMessages.en.nextText(price(small), day.format(item.current_period_end * 1000))}`,
      );
      await advanceTo(item.current_period_end + 4000);
    }
    const year = await dueDays(address);
    expect(year[0]).toBe("01-31");
    expect(["02-28", "02-29"]).toContain(year[1]);
    expect(year.slice(2)).toEqual([
      "03-31",
      "04-30",
      "05-31",
      "06-30",
      "07-31",
      "08-31",
      "09-30",
      "10-31",
      "11-30",
      "12-31",
      "01-31",
    ]);
    const orders = await ordersOf(site, address);
    expect(orders.map(({ state }) => state)).toEqual(orders.map(() => "paid"));
    expect(orders.slice(1).every(({ kind, amountMinor }) => kind === "renewal" && amountMinor === minor(small))).toBe(
      true,
    );
    await visitor.open(planPath);
    // The page shows the newest; the list of orders has them all.
    expect(visitor.text().split(latestOrdersMessages.en.what("renewal", small.name))).toHaveLength(4);
    expect(visitor.text()).not.toContain(latestOrdersMessages.en.what("new-plan", small.name));
    const numbers = orders.map(({ number }) => number ?? 0);
    expect(new Set(numbers).size).toBeGreaterThan(10);
    const receipts = (await site.emailsTo(address, 14)).filter(({ subject }) => subjectOf("receipt").test(subject));
    expect(receipts).toHaveLength(13);
  });

  test("begun on 29 February is charged on 28 February, and on the 29th in a leap year", async () => {
    const address = "leap@example.com";
    await advanceTo(await nextDay(2, 29));
    const visitor = await subscriber(site, address, { interval: "year" });
    for (let renewal = 1; renewal <= 4; renewal += 1) {
      await advanceTo((await subscriptionOf(site, address)).item.current_period_end + 4000);
    }
    expect(await dueDays(address)).toEqual(["02-29", "02-28", "02-28", "02-28", "02-29"]);
    await visitor.open(planPath);
    const due = (await subscriptionOf(site, address)).item.current_period_end;
    expect(visitor.text()).toContain(
      `${planMessages.en.next} ${planMessages.en.nextText(price(small, "year"), asShown(formatDay(due * 1000, product)))}`,
    );
    expect((await ordersOf(site, address)).map(({ amountMinor }) => amountMinor)).toEqual(
      Array.from({ length: 5 }, () => minor(small, "year")),
    );
  });
});
