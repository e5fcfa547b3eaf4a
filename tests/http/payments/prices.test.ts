import { describe, expect, test } from "vitest";
import { changePlanMessages } from "#app/routes/landing/under-way.messages.ts";
import { paymentMessages, mismatchMessages } from "#app/routes/payment/messages.ts";
import { askReasonMessages } from "#app/routes/settings/plan/messages.ts";
import { upgradeMessages, offerRefusalMessages } from "#app/routes/settings/upgrade/messages.ts";
import { large, minor, pages, price, small } from "#tests/support/billing/catalogue.ts";
import { reprice } from "#tests/support/billing/reprice.ts";
import { newCustomer, openCheckout, payByCard } from "#tests/support/clients/customers.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { useSite } from "#tests/support/site/use-site.ts";

const site = useSite({ vars: { LAUNCH_GATE: "none" } });
const review = `/settings/upgrade?plan=${small.id}&interval=month`;

function stripe() {
  if (!site.stripe) throw new Error("The site has no Stripe emulator");
  return site.stripe.sdk;
}

test("a plan whose price at Stripe isn't the one that the page shows is not on sale, and the choice is kept", async () => {
  const { visitor } = await newCustomer(site, `?plan=${small.id}&interval=month`);
  await reprice(stripe(), { planId: small.id }, { unit_amount: minor(small) - 100 });
  expect(visitor.text()).toContain(price(small));
  await visitor.submit("quote");
  expect([visitor.status, visitor.path()]).toEqual([409, review]);
  expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["price-differs"]);
  expect(visitor.html).not.toContain('name="quote"');
  expect(visitor.text()).toContain(upgradeMessages.en.choose(large.name));
  expect((await stripe().checkout.sessions.list()).data).toEqual([]);
  expect((await site.fetch("/healthz")).status).toBe(503);
  await reprice(stripe(), { planId: small.id }, { unit_amount: minor(small) });
  expect(visitor.html).toContain(`href="${review.replace("&", "&amp;")}">${upgradeMessages.en.wayOn.again}`);
  await visitor.open(review);
  await openCheckout(visitor);
  await payByCard(visitor);
  expect(visitor.heading()).toBe(paymentMessages.en.pages["new-plan"].success.title);
});

test("a plan whose price differs is shown so before anybody chooses it, and isn't reviewed", async () => {
  await reprice(stripe(), { planId: small.id }, { unit_amount: minor(small) + 100 });
  const database = await site.database();
  await database.prepare("delete from job_cursors where name = 'prices'").run();
  await site.runCron();
  const { visitor } = await newCustomer(site);
  await visitor.open("/settings/upgrade?interval=month");
  expect(visitor.text()).toContain(upgradeMessages.en.unsold);
  expect(visitor.text()).not.toContain(upgradeMessages.en.choose(small.name));
  expect(visitor.text()).toContain(upgradeMessages.en.choose(large.name));
  await visitor.open(review);
  expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["price-differs"]);
  expect(visitor.html).not.toContain('name="quote"');
  expect((await visitor.open("/")).text()).toContain(changePlanMessages.en.unsold);
  await reprice(stripe(), { planId: small.id }, { unit_amount: minor(small) });
  await visitor.open(review);
  expect(visitor.html).toContain('name="quote"');
  await visitor.open("/settings/upgrade?interval=month");
  expect(visitor.text()).not.toContain(upgradeMessages.en.unsold);
});

describe("a payment that isn't what was asked for", () => {
  /** The order asked for another amount than the checkout charges. */
  async function pay(askedMinor: number) {
    const { visitor, address } = await newCustomer(site, `?plan=${small.id}&interval=month`);
    await openCheckout(visitor);
    const database = await site.database();
    await database
      .prepare("update orders set amount_minor = ? where account_id = (select id from accounts where email = ?)")
      .bind(askedMinor, address)
      .run();
    await payByCard(visitor);
    return { visitor, address };
  }

  const textOf = async (visitor: Visitor, path: string) => (await visitor.open(path)).text();

  test("is refunded if it is more, and every page and one email say so", async () => {
    const { visitor, address } = await pay(minor(small) - 100);
    const { mismatch, again } = paymentMessages.en;
    expect([visitor.heading(), visitor.path()]).toEqual([
      mismatch.title(false),
      expect.stringContaining("/payment/success?order=ord_"),
    ]);
    const paid = visitor.text();
    expect(paid).toContain(again.choose);
    const [, order = ""] = /order=(ord_\w+)/.exec(visitor.url) ?? [];
    const texts = [paid];
    for (const path of ["/settings", pages.plan, `/settings/orders/${order}`]) texts.push(await textOf(visitor, path));
    for (const text of texts) expect(text).toContain(mismatchMessages.en.refunded);
    await visitor.open(pages.plan);
    expect(visitor.text()).not.toContain(askReasonMessages.en.title);
    const subjects = (await site.emailsTo(address, 2)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subjectOf("payment-mismatch").test(subject))).toHaveLength(1);
    expect(subjects.filter((subject) => subjectOf("receipt").test(subject))).toEqual([]);
    const { data } = await stripe().customers.list({ email: address });
    const charges = (await stripe().charges.list({ customer: String(data[0]?.id) })).data;
    expect(charges.map(({ amount, amount_refunded: refunded }) => [amount, refunded])).toEqual([
      [minor(small), minor(small)],
    ]);
    const plans = (await stripe().subscriptions.list({ customer: String(data[0]?.id), status: "all" })).data;
    expect(plans.map(({ status }) => status)).toEqual(["canceled"]);
  });

  test("keeps the plan if it is the lower price of an earlier config, and the page, the order and the receipt say so", async () => {
    const { visitor, address } = await pay(minor(small) + 300);
    expect(visitor.heading()).toBe(paymentMessages.en.pages["new-plan"].success.title);
    expect(visitor.text()).toContain(mismatchMessages.en.kept);
    const [, order = ""] = /order=(ord_\w+)/.exec(visitor.url) ?? [];
    expect(await textOf(visitor, `/settings/orders/${order}`)).toContain(mismatchMessages.en.kept);
    expect(await textOf(visitor, pages.plan)).toContain(price(small));
    const emails = await site.emailsTo(address, 2);
    expect(emails.map(({ subject }) => subject).filter((subject) => subjectOf("receipt").test(subject))).toHaveLength(
      1,
    );
    expect(emails.map(({ text }) => text).join("\n")).toContain("an earlier price");
  });
});
