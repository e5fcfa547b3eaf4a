import { flashMessages } from "#app/http/page/flash.messages.ts";
import { planMessages, endingMessages } from "#app/routes/settings/plan/messages.ts";
import { paymentMessages } from "#app/routes/payment/messages.ts";
import { upgradeMessages, offerRefusalMessages } from "#app/routes/settings/upgrade/messages.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { openCheckout, signUp } from "#tests/support/clients/customers.ts";
import { free, large, minor, pages, pattern, small } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

const site = useSite();

const confirmation = `/settings/upgrade?plan=${small.id}&interval=month`;

function confirmFields(visitor: Visitor) {
  const quote = /name="quote" value="([^"]*)"/.exec(visitor.html)?.[1] ?? "";
  return { plan: small.id, interval: "month", intent: "confirm", quote };
}

/** The same form from the same browser, forty times at the same time: forty clicks, tabs and retries. */
async function confirmForty(visitor: Visitor): Promise<Response[]> {
  const body = new URLSearchParams(confirmFields(visitor)).toString();
  const Cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { Origin: site.origin, Cookie, "Content-Type": "application/x-www-form-urlencoded" };
  return Promise.all(Array.from({ length: 40 }, () => site.fetch(confirmation, { method: "POST", headers, body })));
}

async function ordersOf(address: string) {
  const database = await site.database();
  const { results } = await database
    .prepare(
      `select o.id, o.state, o.number_year as year, o.number_in_year as number, o.amount_minor as amountMinor
       from orders o join accounts a on a.id = o.account_id where a.email_canonical = ? order by o.created_at`,
    )
    .bind(address)
    .all<{ id: string; state: string; year: number | null; number: number | null; amountMinor: number }>();
  return results;
}

async function pay(visitor: Visitor): Promise<string> {
  await visitor.open(confirmation);
  const session = await openCheckout(visitor);
  const paid = await site.stripe?.control("checkout", { session, outcome: "paid" });
  return paid?.redirect ?? "";
}

describe("a purchase", () => {
  test("confirmed forty times at the same time is one order and one checkout", async () => {
    const visitor = await signUp(site, "forty@example.com");
    const answers = await confirmForty(visitor);
    const locations = new Set(answers.flatMap((answer) => answer.headers.get("Location") ?? []));
    // Ten a minute reach Stripe, and while it still answers the first, it refuses the others: they offer the same again.
    const late = answers.filter(({ status }) => status === 503);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(30);
    expect(answers.map(({ status }) => status).filter((status) => ![303, 429, 503].includes(status))).toEqual([]);
    for (const answer of late) {
      expect(await answer.text()).toMatch(
        pattern`${offerRefusalMessages.en.refusals["provider-unreachable"]}[^]*${upgradeMessages.en.wayOn.again}[^]*${upgradeMessages.en.confirm.title(small.name)}`,
      );
    }
    await (await site.database()).exec("delete from quota_uses");
    await visitor.open(confirmation);
    await openCheckout(visitor);
    expect(visitor.url).toContain("/checkout/");
    expect([...locations.add(visitor.url)]).toEqual([visitor.url]);
    expect(await ordersOf("forty@example.com")).toMatchObject([{ state: "pending", number: null }]);
    const sessions = await site.stripe?.sdk.checkout.sessions.list({ limit: 100 });
    const urls = sessions?.data.filter((session) => session.url && locations.has(session.url));
    expect(urls).toHaveLength(1);
  });

  test("of another plan closes the open checkout first, so that only one can be paid", async () => {
    const visitor = await signUp(site, "changed@example.com");
    await openCheckout(visitor);
    await visitor.open(`/settings/upgrade?plan=${small.id}&interval=year`);
    await openCheckout(visitor);
    const orders = await ordersOf("changed@example.com");
    expect(orders.map((order) => [order.state, order.amountMinor])).toEqual([
      ["cancelled", minor(small)],
      ["pending", minor(small, "year")],
    ]);
    const sessions = (await site.stripe?.sdk.checkout.sessions.list({ limit: 100 }))?.data ?? [];
    const own = orders.map((order) => sessions.find((session) => session.client_reference_id === order.id)?.status);
    expect(own).toEqual(["expired", "open"]);
  });

  test("with an outdated quote shows a new one with 409, and charges nothing", async () => {
    const visitor = await signUp(site, "moved@example.com");
    await visitor.post({ ...confirmFields(visitor), quote: `1.${product.currency}.${Date.now()}` });
    expect(visitor.status).toBe(409);
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["quote-moved"]);
    expect(await ordersOf("moved@example.com")).toEqual([]);
  });

  test("is refused for a plan behind the gate, for Free and for a plan that doesn't exist", async () => {
    const visitor = await signUp(site, "gate@example.com");
    for (const [plan, status] of [
      [large.id, 409],
      [free.id, 422],
      ["gold", 422],
    ] as const) {
      await visitor.post({ ...confirmFields(visitor), plan }, "/settings/upgrade");
      expect([plan, visitor.status]).toEqual([plan, status]);
    }
    expect(await ordersOf("gate@example.com")).toEqual([]);
  });

  test("is refused while a plan runs, so that there is never a second subscription", async () => {
    const visitor = await signUp(site, "second@example.com");
    const quote = confirmFields(visitor);
    await visitor.open(await pay(visitor));
    await visitor.post(quote, "/settings/upgrade");
    expect(visitor.status).toBe(409);
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["same-plan"]);
  });

  test("with the payment provider answering 500 has a message and a way to continue, and the next click succeeds", async () => {
    const visitor = await signUp(site, "broken@example.com");
    await site.stripe?.control("disorder", { apiFault: { kind: "500", next: 1 } });
    await openCheckout(visitor);
    expect(visitor.status).toBe(503);
    expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["provider-unreachable"]);
    await site.stripe?.control("disorder", {});
    await openCheckout(visitor);
    expect(visitor.url).toContain(`${site.stripe?.origin}/checkout/`);
    expect(await ordersOf("broken@example.com")).toHaveLength(1);
  });

  test("whose answer was lost is found by the next click, instead of started twice", async () => {
    const visitor = await signUp(site, "lost@example.com");
    await openCheckout(visitor);
    const [first] = await ordersOf("lost@example.com");
    const database = await site.database();
    // As a Worker leaves it that was killed between the provider's answer and the write to our database.
    await database
      .prepare("update orders set state = 'draft', checkout_id = null, checkout_url = null where id = ?")
      .bind(first?.id)
      .run();
    await visitor.open(confirmation);
    await openCheckout(visitor);
    const orders = await ordersOf("lost@example.com");
    expect(orders).toMatchObject([{ id: first?.id, state: "pending" }]);
    const sessions = (await site.stripe?.sdk.checkout.sessions.list({ limit: 100 }))?.data ?? [];
    expect(sessions.filter((session) => session.client_reference_id === first?.id)).toHaveLength(1);
  });
});

describe("a double payment is prevented if", () => {
  const yearly = `/settings/upgrade?plan=${small.id}&interval=year`;

  async function openSessionsOf(address: string) {
    const ids = new Set((await ordersOf(address)).map((order) => order.id));
    const sessions = (await site.stripe?.sdk.checkout.sessions.list({ limit: 100 }))?.data ?? [];
    return sessions.filter((session) => ids.has(session.client_reference_id ?? "") && session.status === "open");
  }

  test("a checkout was paid while its events are late: it is found before another plan's checkout opens", async () => {
    const visitor = await signUp(site, "late@example.com");
    await site.stripe?.control("disorder", { drop: 1000 });
    await pay(visitor);
    await visitor.open(yearly);
    await openCheckout(visitor);
    await site.stripe?.control("disorder", {});
    expect(visitor.path()).toMatch(/^\/payment\/success\?order=/);
    expect(await ordersOf("late@example.com")).toMatchObject([{ state: "paid", amountMinor: minor(small) }]);
    expect(await openSessionsOf("late@example.com")).toEqual([]);
  });

  test("two tabs choose different plans: one checkout stays open, in any order", async () => {
    const visitor = await signUp(site, "tabs@example.com");
    const Cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { Origin: site.origin, Cookie, "Content-Type": "application/x-www-form-urlencoded" };
    for (let round = 0; round < 3; round += 1) {
      const choices = await Promise.all(
        ["month", "year"].map(async (interval) => {
          await visitor.open(`/settings/upgrade?plan=${small.id}&interval=${interval}`);
          return new URLSearchParams({ ...confirmFields(visitor), interval }).toString();
        }),
      );
      const posts = Array.from({ length: 12 }, (_, index) => choices[index % 2] ?? "");
      await Promise.all(posts.map((body) => site.fetch("/settings/upgrade", { method: "POST", headers, body })));
      expect((await openSessionsOf("tabs@example.com")).length).toBeLessThanOrEqual(1);
    }
  });

  test("a checkout's id was lost: its payment finds the order", async () => {
    const visitor = await signUp(site, "stray@example.com");
    const session = await openCheckout(visitor);
    const database = await site.database();
    await database
      .prepare("update orders set state = 'cancelled', checkout_id = null, checkout_url = null where checkout_id = ?")
      .bind(session)
      .run();
    await site.stripe?.control("checkout", { session, outcome: "paid" });
    expect(await ordersOf("stray@example.com")).toMatchObject([{ state: "paid", amountMinor: minor(small) }]);
  });

  test("a bank debit failed: the same plan can be started again", async () => {
    const visitor = await signUp(site, "debit@example.com");
    const session = await openCheckout(visitor);
    await site.stripe?.control("checkout", { session, outcome: "processing" });
    await visitor.open("/payment/processing");
    expect(visitor.heading()).toBe(paymentMessages.en.pages["new-plan"].processing.title);
    await site.stripe?.control("checkout", { session, outcome: "declined" });
    await visitor.open("/payment/processing");
    expect(visitor.path()).toMatch(/^\/payment\/failed/);
    await visitor.open(confirmation);
    await openCheckout(visitor);
    expect(new URL(visitor.url).pathname.split("/").at(-1)).not.toBe(session);
    const subscriptions = await site.stripe?.sdk.subscriptions.list({ limit: 100, status: "past_due" });
    expect(subscriptions?.data).toEqual([]);
    const subjects = (await site.emailsTo("debit@example.com", 3)).map((email) => email.subject);
    expect(subjects).toContainEqual(expect.stringMatching(subjectOf("payment-failed")));
  });
});

describe("a payment", () => {
  test("is numbered without gaps or duplicates when ten accounts pay at the same time", async () => {
    const people = Array.from({ length: 10 }, (_, index) => `crowd-${index}@example.com`);
    const visitors: Visitor[] = [];
    for (const address of people) visitors.push(await signUp(site, address));
    const backs = await Promise.all(visitors.map(pay));
    await Promise.all(visitors.map((visitor, index) => visitor.open(backs[index] ?? "")));
    const database = await site.database();
    const { results } = await database
      .prepare("select number_in_year as n from orders where number_year is not null order by n")
      .all<{ n: number }>();
    expect(results.map((row) => row.n)).toEqual(results.map((_, index) => index + 1));
    expect(results.length).toBeGreaterThanOrEqual(10);
  });

  test("is stored once, with one email, however often its events arrive", async () => {
    const visitor = await signUp(site, "repeat@example.com");
    await site.stripe?.control("disorder", { duplicate: 3, shuffle: true });
    const back = await pay(visitor);
    await site.stripe?.control("disorder", {});
    await visitor.open(back);
    expect(await ordersOf("repeat@example.com")).toMatchObject([{ state: "paid", amountMinor: minor(small) }]);
    const receipts = (await site.emailsTo("repeat@example.com", 2)).filter((email) =>
      subjectOf("receipt").test(email.subject),
    );
    expect(receipts).toHaveLength(1);
  });

  test("that twenty syncs find at the same time is stored, numbered and emailed once", async () => {
    const visitor = await signUp(site, "crowded@example.com");
    await site.stripe?.control("disorder", { drop: 1000 });
    const back = await pay(visitor);
    await site.stripe?.control("disorder", {});
    const Cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const path = back.replace(site.origin, "");
    const pages = await Promise.all(Array.from({ length: 20 }, () => site.fetch(path, { headers: { Cookie } })));
    expect(pages.map((page) => page.status)).toEqual(pages.map(() => 200));
    const [order] = await ordersOf("crowded@example.com");
    expect(order).toMatchObject({ state: "paid" });
    const database = await site.database();
    const counts = await database
      .prepare(
        `select (select count(*) from emails where template = 'receipt' and id like ?1) as receipts,
          (select count(*) from history_events where order_id = ?2 and what = 'paid') as moments,
          (select count(*) from order_lines where order_id = ?2) as lines`,
      )
      .bind(`mail_${order?.id}%`, order?.id)
      .first();
    expect(counts).toEqual({ receipts: 1, moments: 1, lines: 1 });
  });

  test("whose events were all lost is found by the page, or by the cron job", async () => {
    const byPage = await signUp(site, "page@example.com");
    await site.stripe?.control("disorder", { drop: 1000 });
    const back = await pay(byPage);
    expect(await ordersOf("page@example.com")).toMatchObject([{ state: "pending" }]);
    await byPage.open(back);
    expect(byPage.path()).toMatch(/^\/payment\/success/);

    const byClock = await signUp(site, "clock@example.com");
    await pay(byClock);
    await site.stripe?.control("disorder", {});
    await site.runCron(Date.now() + 6 * 60_000);
    expect(await ordersOf("clock@example.com")).toMatchObject([{ state: "paid" }]);
  });
});

test("whose events were lost is repaired by the cron job, despite choices that never opened a checkout", async () => {
  const visitor = await signUp(site, "patient@example.com");
  await site.stripe?.control("disorder", { drop: 1000 });
  await pay(visitor);
  await site.stripe?.control("disorder", {});
  const database = await site.database();
  const abandoned = Array.from({ length: 12 }, (_, index) => [
    database
      .prepare(
        `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
         values (?1, 'active', ?1, ?1, 'en', 'UTC', '', 0)`,
      )
      .bind(`abandoned-${index}`),
    database
      .prepare(
        `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, expires_at, updated_at)
         values (?1, ?1, 'draft', 'new-plan', '${small.id}', 'month', 'EUR', 600, 0, ?2, 0)`,
      )
      .bind(`abandoned-${index}`, Date.now() + 86_400_000),
  ]).flat();
  await database.batch(abandoned);
  await site.runCron(Date.now() + 6 * 60_000);
  expect(await ordersOf("patient@example.com")).toMatchObject([{ state: "paid" }]);
});

describe("the webhook", () => {
  const body = (customerId: string, id = "evt_forged") =>
    JSON.stringify({
      id,
      object: "event",
      type: "invoice.paid",
      data: { object: { object: "invoice", customer: customerId } },
    });

  function sign(payload: string, secret = "local-stripe-webhook-secret", at = Math.floor(Date.now() / 1000)): string {
    return `t=${at},v1=${createHmac("sha256", secret).update(`${at}.${payload}`).digest("hex")}`;
  }

  const send = (payload: string, signature: string) =>
    site.fetch("/webhooks/stripe", { method: "POST", body: payload, headers: { "Stripe-Signature": signature } });

  const now = () => Math.floor(Date.now() / 1000);

  test.each([
    ["unsigned", () => ""],
    ["forged", () => sign(body("cus_1"), "another secret")],
    ["altered", () => sign(`${body("cus_1")} `)],
    ["six minutes old", () => sign(body("cus_1"), undefined, now() - 360)],
    ["six minutes early", () => sign(body("cus_1"), undefined, now() + 360)],
  ])("refuses an event that is %s", async (_name, signature) => {
    expect((await send(body("cus_1"), signature())).status).toBe(400);
  });

  test("acknowledges an event of an unknown customer and ignores it, with a note in the answer", async () => {
    const payload = body("cus_unknown", "evt_unknown_customer");
    expect((await send(payload, sign(payload))).status).toBe(204);
    const database = await site.database();
    const row = await database.prepare("select state from webhook_events where id = 'evt_unknown_customer'").first();
    expect(row).toEqual({ state: "ignored" });
  });

  test("asks for redelivery while the payment provider can't be read", async () => {
    const visitor = await signUp(site, "again@example.com");
    await openCheckout(visitor);
    const database = await site.database();
    const row = await database
      .prepare(
        "select c.provider_id as id from customers c join accounts a on a.id = c.account_id where a.email_canonical = ?",
      )
      .bind("again@example.com")
      .first<{ id: string }>();
    const payload = body(row?.id ?? "", "evt_told_again");
    await site.stripe?.control("disorder", { apiFault: { kind: "500", next: 4 } });
    expect((await send(payload, sign(payload))).status).toBe(503);
    await site.stripe?.control("disorder", {});
    expect((await send(payload, sign(payload))).status).toBe(204);
    const event = await database.prepare("select state, tries from webhook_events where id = 'evt_told_again'").first();
    expect(event).toEqual({ state: "handled", tries: 2 });
  });
});

describe("the plan page", () => {
  test("cancels a plan at the end of its period and resumes it, each once", async () => {
    const visitor = await signUp(site, "ending@example.com");
    await visitor.open(await pay(visitor));
    await visitor.open(pages.plan);
    await visitor.press(endingMessages.en.cancel.button);
    expect(visitor.text()).toContain(flashMessages.en["plan-cancelled"]);
    expect(visitor.text()).toMatch(fillGaps(planMessages.en.endsSoon(gap)));
    await visitor.post({ intent: "cancel" });
    expect(visitor.status).toBe(409);
    await visitor.open(pages.plan);
    await visitor.press(endingMessages.en.resume.button);
    expect(visitor.text()).toContain(flashMessages.en["plan-resumed"]);
    const subscriptions = await site.stripe?.sdk.subscriptions.list({ limit: 100 });
    expect(subscriptions?.data.every((subscription) => !subscription.cancel_at_period_end)).toBe(true);
  });

  test("leads to the card page of the payment provider", async () => {
    const visitor = await signUp(site, "card@example.com");
    await visitor.open(await pay(visitor));
    await visitor.open(pages.plan);
    await visitor.press(planMessages.en.updateCard);
    expect(visitor.url).toContain(`${site.stripe?.origin}/portal/`);
  });
});
