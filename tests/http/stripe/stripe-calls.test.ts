import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { isTaxedByStripe } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { paymentMessages } from "#app/routes/payment/messages.ts";
import { openCheckout, signUp } from "#tests/support/clients/customers.ts";
import { localVars } from "#tests/support/site/site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { useSiteWithDetour } from "./failing-proxy.ts";

/**
 * The calls to Stripe of a purchase, from the button to the minute after it; there were 28 to 36. Customer, its
 * address, price, checkout, three lists, the invoice's label, and the cron job's list of events. If the page reads
 * before the events have arrived, three lists are added.
 */
const callsOfPurchase = 9;
const callsOfLateEvents = 3;
/** And the calls of the page alone that the customer comes back to. */
const callsOfPageMax = 4;
/** With Stripe Tax the rate of an invoice as well, in whichever purchase comes first: it is stored. */
const taxRate = /^GET \/v1\/tax_rates\//;
const callsOfTaxRateMax = isTaxedByStripe(product) ? 1 : 0;

const paid = paymentMessages.en.pages["new-plan"].success.title;

const { site, detour } = useSiteWithDetour();
// Compares all prices once an hour, whether anybody buys or not.
beforeAll(() => site.runCron());
afterEach(async () => {
  await site.stripe?.control("disorder", {});
});

/** Starts the plan and pays for it. Returns where the browser goes back to, as soon as it may. */
async function pay(visitor: Visitor) {
  const session = await openCheckout(visitor);
  const delivered = site.stripe?.control("checkout", { session, outcome: "paid" });
  return { delivered, back: new URL((await site.stripe?.sdk.checkout.sessions.retrieve(session))?.success_url ?? "") };
}

async function paidOrders(address: string) {
  const { results } = await (
    await site.database()
  )
    .prepare("select o.state from orders o join accounts a on a.id = o.account_id where a.email = ?")
    .bind(address)
    .all<{ state: string }>();
  return results.map(({ state }) => state);
}

const inboxOf = (eventId: string) => async () =>
  (await site.database()).prepare("select state from webhook_events where id = ?").bind(eventId).first<string>("state");

/** Every call so far has been answered and has led to no other for a while. */
async function quiet(): Promise<number> {
  for (let seen = -1; seen !== detour.count(/./); await pause(1500)) seen = detour.count(/./);
  return detour.count(/./);
}

describe("a purchase", () => {
  test.each<[string, (back: string, delivered: Promise<unknown> | undefined, visitor: Visitor) => Promise<unknown>]>([
    [
      "whose events come first",
      (back, delivered, visitor) => Promise.resolve(delivered).then(() => visitor.open(back)),
    ],
    [
      "whose events come together with the browser",
      (back, delivered, visitor) => Promise.all([delivered, visitor.open(back)]),
    ],
    [
      "whose events come after the browser",
      async (back, delivered, visitor) => {
        await visitor.open(back);
        await delivered;
      },
    ],
  ])("%s makes at most a third of the former calls to Stripe", async (what, goBack) => {
    const address = `${what.replaceAll(" ", "-")}@example.com`;
    const visitor = await signUp(site, address);
    const before = await quiet();
    if (what.endsWith("after the browser")) await site.stripe?.control("disorder", { delayMs: 3000 });
    const { back, delivered } = await pay(visitor);
    await goBack(back.pathname + back.search, delivered, visitor);
    await quiet();
    await site.runCron();
    const all = detour.passed().slice(before, await quiet());
    const calls = all.filter((call) => !taxRate.test(call));
    await visitor.open(back.pathname + back.search);
    expect(visitor.heading()).toBe(paid);
    expect(await paidOrders(address)).toEqual(["paid"]);
    expect(detour.count(taxRate)).toBeLessThanOrEqual(callsOfTaxRateMax);
    const callsMax = callsOfPurchase + (what.endsWith("come first") ? 0 : callsOfLateEvents);
    expect(calls.length, calls.join("\n")).toBeLessThanOrEqual(callsMax);
  });

  test("whose events never arrive is read by one page, in few calls, and by no later page", async () => {
    const visitor = await signUp(site, "page@example.com");
    await site.stripe?.control("disorder", { drop: 1000 });
    const { back, delivered } = await pay(visitor);
    await delivered;
    const before = await quiet();
    await visitor.open(back.pathname + back.search);
    const calls = detour.passed().slice(before, await quiet());
    expect(visitor.heading()).toBe(paid);
    expect(calls.length, calls.join("\n")).toBeLessThanOrEqual(callsOfPageMax);
    await visitor.open(back.pathname + back.search);
    expect(await quiet()).toBe(before + calls.length);
  });
});

describe("an event that takes long to handle", () => {
  test("is answered with 204 within seconds, since it is in the inbox, and the cron job repairs the rest", async () => {
    const visitor = await signUp(site, "slow@example.com");
    await site.stripe?.control("disorder", { drop: 1000 });
    const { delivered } = await pay(visitor);
    await delivered;
    const { data: events = [] } = (await site.stripe?.sdk.events.list({ type: "invoice.paid", limit: 1 })) ?? {};
    const payload = JSON.stringify(events[0]);
    const secret = localVars.STRIPE_WEBHOOK_SECRET ?? "";
    const signature = site.stripe?.sdk.webhooks.generateTestHeaderString({ payload, secret }) ?? "";
    await quiet();
    detour.plan(/^GET \/v1\/subscriptions/, "held", "and-after");
    const startedAt = performance.now();
    const answer = await site.fetch("/webhooks/stripe", {
      method: "POST",
      headers: { "Stripe-Signature": signature },
      body: payload,
    });
    expect(answer.status).toBe(204);
    expect(performance.now() - startedAt).toBeLessThan(7000);
    expect(await paidOrders("slow@example.com")).toEqual(["pending"]);
    // Its sync gives up at its deadline.
    await expect.poll(inboxOf(events[0]?.id ?? "")).toBe("failed");
    detour.clear();
    await site.runCron(Date.now() + 120_000);
    expect(await paidOrders("slow@example.com")).toEqual(["paid"]);
  });
});

describe("under the rate limit of Stripe's test mode", () => {
  test.each([1, 2, 4])(
    "none of %i customers who pay in the same second sees a wrong page, and each is charged once",
    async (people) => {
      const addresses = Array.from({ length: people }, (_, index) => `limited-${people}-${index}@example.com`);
      const visitors = await Promise.all(addresses.map((address) => signUp(site, address)));
      await quiet();
      await site.stripe?.control("disorder", { rateLimit: 25 });
      const headings = await Promise.all(
        visitors.map(async (visitor) => {
          // If Stripe refuses the opening twice, the page says so and the same button works.
          for (let press = 0; press < 5 && !visitor.url.includes("/checkout/"); press += 1) {
            await openCheckout(visitor);
          }
          const session = new URL(visitor.url).pathname.split("/").at(-1) ?? "";
          const delivered = await site.stripe?.control("checkout", { session, outcome: "paid" });
          return (await visitor.open(delivered?.redirect ?? "")).heading();
        }),
      );
      expect(
        headings.filter((heading) => heading !== paid && heading !== paymentMessages.en.unconfirmed.title),
      ).toEqual([]);
      await quiet();
      await site.runCron(Date.now() + 120_000);
      await quiet();
      for (const visitor of visitors) expect((await visitor.open("/payment/success")).heading()).toBe(paid);
      for (const address of addresses) expect(await paidOrders(address)).toEqual(["paid"]);
    },
  );
});
