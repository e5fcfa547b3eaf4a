import { devicesFeatureMessages } from "#app/features/devices/feature.messages.ts";
import { planAheadMessages } from "#app/routes/settings/plan/messages.ts";
import { beforeAll, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { formatQuantity } from "#app/core/text/quantity.ts";
import { openDatabase } from "#app/db/database.server.ts";
import type { IssuedDocument } from "#app/modules/billing/documents/rules.ts";
import { sampleInvoice } from "#tests/support/billing/sample-document.ts";
import { insertDocument } from "#tests/support/database/insert-document.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { landingMessages } from "#app/product/landing/messages.ts";
import { orderDetailMessages, orderHistoryMessages } from "#app/routes/settings/orders/order/messages.ts";
import { ordersMessages } from "#app/routes/settings/orders/messages.ts";
import { changeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { signUp } from "#tests/support/clients/customers.ts";
import { aDay, amount, free, minor, pattern, small } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { asShown } from "#tests/support/clients/html.ts";

/** Pages of an account, for the rows that they find. Nothing is sold here. */
let visitor: Visitor;
const config: ProductConfig = product;

const site = useSite({ stripe: false });
beforeAll(async () => {
  visitor = await signUp(site, "pages@example.com", "");
});

async function run(sql: string, ...values: (string | number | null)[]): Promise<void> {
  const db = await site.database();
  await db
    .prepare(sql)
    .bind(...values)
    .run();
}

async function onPlan(): Promise<void> {
  await run(
    `insert or replace into subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, started_at,
       period_ends_at, synced_at) select 'sub_pages', id, 'active', ?1, 'month', ?2, ?3, 0, ?4, 0 from accounts`,
    small.id,
    minor(small),
    product.currency,
    Date.now() + 20 * dayMs,
  );
}

test("the landing page marks the current plan, and links to it", async () => {
  const { yours, manage } = landingMessages.en.plans;
  const cardOf = (name: string) =>
    visitor.html.split(/<li class="plan/).find((card) => card.includes(`<h3>${name}</h3>`)) ?? "";
  await visitor.open("/");
  expect([cardOf(free.name).includes(yours), cardOf(small.name).includes(yours)]).toEqual([true, false]);
  await onPlan();
  await visitor.open("/");
  expect([cardOf(free.name).includes(yours), cardOf(small.name).includes(yours)]).toEqual([false, true]);
  expect(cardOf(small.name)).toContain(manage);
});

test("the quote for a smaller plan lists what exceeds its limits, and nothing else", async () => {
  await onPlan();
  const seats = free.limits.devices;
  for (let nth = 0; nth <= seats; nth += 1) {
    await run(
      `insert into devices (id, account_id, state, fingerprint_hash, name, platform, activated_at, last_seen_at)
       select ?1, id, 'active', ?1, 'Laptop', 'linux', 0, 0 from accounts`,
      `dev_${nth}`,
    );
  }
  const [meter, other] = config.meters.filter(({ kind }) => kind === "last");
  const most = (limit: string) => free.limits[limit] ?? 0;
  const report = `insert into usage_values (account_id, meter, part, value, reported_at) select id, ?1, 'dev_0', ?2, 0 from accounts`;
  if (meter) await run(report, meter.key, most(meter.limit) + 1000);
  if (other) await run(report, other.key, most(other.limit));
  await visitor.open(`/settings/upgrade?plan=${free.id}&interval=month`);
  const { excess } = changeMessages.en;
  const excessText = planAheadMessages.en.excess.bind(null, free.name);
  expect(visitor.text()).toContain(excess(free.name));
  expect(visitor.text()).toContain(
    devicesFeatureMessages.en.counted.excess(free.name, String(seats + 1), String(seats)),
  );
  const say = (value: number, unit: "bytes" | "count") => asShown(formatQuantity(value, unit, "en"));
  if (meter) {
    const used = say(most(meter.limit) + 1000, meter.unit);
    expect(visitor.text()).toContain(
      excessText({ label: meter.label, used, limit: say(most(meter.limit), meter.unit) }),
    );
  }
  if (other) expect(visitor.text()).not.toMatch(fillGaps(excessText({ label: other.label, used: gap, limit: gap })));
  await run("delete from usage_values");
  await run("delete from devices");
  await visitor.open(`/settings/upgrade?plan=${free.id}&interval=month`);
  expect(visitor.text()).not.toContain(excess(free.name));
});

/** An order, as its page shows it. */
async function anOrder(
  id: string,
  columns: { state: string; amountMinor: number; creditMinor?: number; paidAt?: number },
) {
  const { state, amountMinor, creditMinor = 0, paidAt = null } = columns;
  await run(
    `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, credit_minor, paid_at,
       number_year, number_in_year, created_at, updated_at)
     select ?1, id, ?2, 'new-plan', ?3, 'month', ?4, ?5, ?6, ?7, ?8, ?8, ?9, 0 from accounts`,
    id,
    state,
    small.id,
    product.currency,
    amountMinor,
    creditMinor,
    paidAt,
    paidAt && 2026,
    Date.now(),
  );
}

test("unfinished attempts are listed separately from the charges, unless they are requested", async () => {
  await anOrder("ord_given_up", { state: "cancelled", amountMinor: minor(small) });
  await anOrder("ord_run_out", { state: "expired", amountMinor: minor(small) });
  await visitor.open("/settings/orders");
  expect(visitor.text()).not.toContain(ordersMessages.en.empty.title);
  expect(visitor.text()).toContain(ordersMessages.en.attempts.title(2));
  expect(visitor.html).toContain("/settings/orders/ord_given_up");
  await visitor.open("/settings/orders?state=expired");
  expect(visitor.html).toContain("/settings/orders/ord_run_out");
  expect(visitor.html).not.toContain("/settings/orders/ord_given_up");
});

test("a first payment that was started and abandoned is among them, with the way to continue it", async () => {
  await anOrder("ord_paid", { state: "paid", amountMinor: minor(small), paidAt: Date.now() });
  await anOrder("ord_left", { state: "pending", amountMinor: minor(small) });
  await visitor.open("/settings/orders");
  const [before = "", folded = ""] = visitor.html.split('<details class="disclosure" open');
  expect([before.includes("/settings/orders/ord_paid"), before.includes("/settings/orders/ord_left")]).toEqual([
    true,
    false,
  ]);
  expect(folded).toContain("/settings/orders/ord_left");
  expect(folded).toMatch(pattern`href="/payment/cancelled\?order=ord_left"[^]*${ordersMessages.en.attempts.link}`);
  await run("delete from orders");
});

test("an order that was paid by credit is shown as such, without a payment", async () => {
  await anOrder("ord_credit", { state: "paid", amountMinor: 0, creditMinor: minor(small), paidAt: Date.now() });
  await run(
    `insert into history_events (order_id, what, occurrence, happened_at) values ('ord_credit', 'paid', '', ?1)`,
    Date.now(),
  );
  const invoice: Partial<IssuedDocument> = {
    orderId: "ord_credit",
    currency: product.currency,
    steps: [{ what: "credit", amountMinor: -minor(small) }],
    moneyMinor: 0,
    buyer: { name: "Mara", address: [], country: null, vatIds: [], paidBy: null },
  };
  await insertDocument(openDatabase(await site.database()), sampleInvoice(invoice));
  await visitor.open("/settings/orders/ord_credit");
  const entries = orderHistoryMessages.en;
  const { credit, paidBy, paidWithCredit, why } = orderDetailMessages.en;
  expect(visitor.text()).toMatch(fillGaps(paidWithCredit(amount(minor(small)), gap), aDay));
  expect(visitor.text()).toContain(`${paidBy} ${credit}`);
  expect(visitor.text()).not.toContain(why);
  expect(visitor.text()).toContain(entries.paidByCredit);
  expect(visitor.text()).not.toContain(entries.states.paid["new-plan"]);
  expect(visitor.text()).toContain(amount(0));
});
