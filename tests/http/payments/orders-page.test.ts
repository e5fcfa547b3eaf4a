import { ordersMessages, orderStateMessages } from "#app/routes/settings/orders/messages.ts";
import { rootMessages } from "#app/root.messages.ts";
import { beginningOf, fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { fileNamePart } from "#app/core/text/file-name.ts";
import { toDecimal } from "#app/core/money/money.ts";
import { formatPercent } from "#app/core/text/quantity.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import {
  orderDetailMessages,
  explanationMessages,
  orderHistoryMessages,
} from "#app/routes/settings/orders/order/messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { settingsMessages, payDueMessages } from "#app/routes/settings/messages.ts";
import { orderReceiptMessages } from "#app/routes/settings/orders/receipt/messages.ts";
import { signUp, subscriber } from "#tests/support/clients/customers.ts";
import { aDay, amount, minor, pages, pattern, price, small } from "#tests/support/billing/catalogue.ts";
import { billingFields } from "#tests/support/billing/checkout-fields.ts";
import { type OrderRow, ordersOfCustomer } from "#tests/support/billing/customer-orders.ts";
import { rewriteDocuments } from "#tests/support/database/rewrite-documents.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

const site = useSite();

/** What a document says of the config's tax. */
const sayTax = ({ tax }: ProductConfig) =>
  typeof tax === "object" && "rate" in tax ? orderDetailMessages.en.taxAt(tax.name, formatPercent(tax.rate, "en")) : "";
const messagesOfTax = sayTax(product);

/** As the receipt has it: by name where the checkout asks for one. */
const buyer = billingFields["name"] ?? "mara@example.com";

const control = (order: string, body: object) => site.stripe?.control(order, body);

/** The newest order of an account, once it is in that state. */
async function newest(address: string, state: string): Promise<OrderRow> {
  await vi.waitFor(async () => expect((await ordersOfCustomer(site, address)).at(-1)?.state).toBe(state), 10_000);
  const order = (await ordersOfCustomer(site, address)).at(-1);
  if (!order) throw new Error("There is no order");
  return order;
}

/** The page of one order, as text. */
async function read(visitor: Visitor, { id }: { id: string }): Promise<string> {
  await visitor.open(`/settings/orders/${id}`);
  expect(visitor.status).toBe(200);
  return visitor.text();
}

/** The links of the page, by their text. */
function linkOf(visitor: Visitor, label: string): string {
  const found = [...visitor.html.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)].find(([, , inside = ""]) =>
    inside.replace(/<[^>]+>/g, "").includes(label),
  );
  return (found?.[1] ?? "none").replaceAll("&amp;", "&");
}

describe("an order that was just paid", () => {
  let visitor: Visitor;
  let order: OrderRow;

  beforeAll(async () => {
    visitor = await subscriber(site, "mara@example.com");
    order = await newest("mara@example.com", "paid");
  });

  test("shows its lines, the charge, payer, payee and payment method, and its history", async () => {
    const text = await read(visitor, order);
    expect(text).toContain(orderDetailMessages.en.title.numbered(order.number ?? ""));
    expect(text).toMatch(
      pattern`${small.name}.*${price(small)}.*${orderDetailMessages.en.money.invoice} ${price(small)}`,
    );
    // A plan's own price needs no reason.
    expect(text).not.toContain(orderDetailMessages.en.why);
    expect(text).toMatch(
      pattern`${orderDetailMessages.en.seller} ${product.seller.name}.*${orderDetailMessages.en.vatId(product.seller.vatId ?? "")}.* ${orderDetailMessages.en.billedTo} ${buyer}`,
    );
    expect(text).toContain(`${orderDetailMessages.en.paidBy} Visa •••• 4242`);
    const { states, emailed } = orderHistoryMessages.en;
    // The history starts with the payment, not with the choice of the plan and the checkout.
    expect(text).toMatch(pattern`${orderDetailMessages.en.timeline} ${states.paid["new-plan"]} .* ${emailed.receipt}`);
    expect(linkOf(visitor, orderDetailMessages.en.invoice)).toBe(`/settings/orders/receipt?order=${order.id}`);
    expect(text).not.toMatch(/undefined|NaN|\[object/);
  });

  test("has its own page, reached from its row and leading back, with its place in the title and the menu", async () => {
    await visitor.open("/settings/orders");
    const path = linkOf(visitor, ordersMessages.en.numbered(order.number ?? ""));
    expect(path).toBe(`/settings/orders/${order.id}`);
    await visitor.open(path);
    expect(visitor.heading()).toBe(orderDetailMessages.en.title.numbered(order.number ?? ""));
    expect(visitor.html).toContain(`<title>${orderDetailMessages.en.title.numbered(order.number ?? "")} · `);
    expect(visitor.html).not.toContain(ordersMessages.en.csv);
    expect(visitor.html).toMatch(/<a[^>]*aria-current="page"[^>]*href="\/settings\/orders"/);
    expect(linkOf(visitor, orderDetailMessages.en.back)).toBe("/settings/orders");
  });

  test("is redirected to from its former address, where an unknown order is 404", async () => {
    await visitor.open(`/settings/orders?year=2026&state=paid&order=${order.id}`);
    expect([visitor.status, visitor.path()]).toEqual([200, `/settings/orders/${order.id}`]);
    for (const query of ["order=ord_nowhere", "order=../plan", "order="]) {
      await visitor.open(`/settings/orders?${query}`);
      expect([query, visitor.status, visitor.heading()]).toEqual([query, 404, rootMessages.en.missing.title]);
    }
    expect((await visitor.open("/settings/orders/nonsense")).status).toBe(404);
  });

  test("has an invoice of its own, not Stripe's", async () => {
    await visitor.open(`/settings/orders/receipt?order=${order.id}`);
    expect(visitor.status).toBe(200);
    await read(visitor, order);
    expect(visitor.html).not.toContain(`href="${site.stripe?.origin}`);
  });

  test("can be withdrawn from during its period: the page says until when, and links there, like the receipt's email", async () => {
    const text = await read(visitor, order);
    expect(text).toMatch(fillGaps(orderDetailMessages.en.withdrawal.open(gap), aDay));
    expect(linkOf(visitor, orderDetailMessages.en.withdrawal.link)).toBe(`/withdraw?order=${order.id}`);
    const email = (await site.emailsTo("mara@example.com", 2)).find(({ subject }) =>
      subjectOf("receipt").test(subject),
    );
    // By its number, as the reader knows it, with the id that proves that the link was followed.
    const way = `${site.origin}/withdraw?order=${order.number}&ref=${order.id}`;
    expect(email?.text).toContain(way);
    expect(email?.html).toContain(`href="${way.replace("&", "&amp;")}"`);
  });

  test("can't be withdrawn from after its period", async () => {
    const database = await site.database();
    await database.prepare("update orders set paid_at = paid_at - 15 * 86400000 where id = ?").bind(order.id).run();
    expect(await read(visitor, order)).not.toContain(orderDetailMessages.en.withdrawal.link);
    await database.prepare("update orders set paid_at = paid_at + 15 * 86400000 where id = ?").bind(order.id).run();
    expect(await read(visitor, order)).toContain(orderDetailMessages.en.withdrawal.link);
  });

  test("has a receipt page, in two round trips, which no other account can open", async () => {
    const path = `/settings/orders/receipt?order=${order.id}`;
    expect(linkOf(await visitor.open(`/settings/orders/${order.id}`), orderDetailMessages.en.invoice)).toBe(path);
    await visitor.open(path);
    const { headings, number, issuedOn, paidOn, title } = orderReceiptMessages.en;
    const { invoice: heading } = headings;
    const { invoice: paid } = orderDetailMessages.en.money;
    expect(visitor.heading()).toBe(heading);
    expect(visitor.html).toContain(`<title>${title("invoice", order.number ?? "")} · `);
    expect(linkOf(visitor, orderDetailMessages.en.title.numbered(order.number ?? ""))).toBe(
      `/settings/orders/${order.id}`,
    );
    expect(visitor.text()).toMatch(
      pattern`${product.seller.name} ${heading} ${number} ${order.number} ${issuedOn} .*${paidOn} .*${orderDetailMessages.en.paidBy} Visa •••• 4242.*${orderDetailMessages.en.vatId(product.seller.vatId ?? "")}.*${orderDetailMessages.en.billedTo} ${buyer}.*${product.name} ${small.name}.*${paid} ${price(small)}.*${product.support}`,
    );
    // Neither a chip nor a second address says it again.
    expect(visitor.html).not.toContain('class="chip');
    expect(visitor.text().split(product.seller.address[0] ?? "")).toHaveLength(2);
    expect(visitor.headers.get("Cache-Control")).toBe("no-store");
    expect(visitor.headers.get("Server-Timing")).toBe('d1;desc="2", d1-in-a-row;desc="1"');
    expect(visitor.html).toContain('name="robots" content="noindex"');
    const signedOut = await site.visitor().open(path);
    expect(signedOut.path()).toBe(`/login?redirectTo=${encodeURIComponent(path)}`);
    expect(signedOut.text()).toContain(loginMessages.en.toContinueTo(settingsMessages.en.orders));
    const stranger = await signUp(site, "stranger@example.com");
    for (const query of [`order=${order.id}`, "order=ord_nowhere", ""]) {
      await stranger.open(`/settings/orders/receipt?${query}`);
      expect([stranger.status, stranger.heading()]).toEqual([404, rootMessages.en.missing.title]);
      if (query !== "") expect((await stranger.open(`/settings/orders?${query}`)).status).toBe(404);
      expect((await stranger.open(`/settings/orders/${order.id}`)).status).toBe(404);
    }
  });
});

describe("a receipt", () => {
  let visitor: Visitor;
  let order: OrderRow;
  const messages = orderDetailMessages.en;
  /** What the invoice says in one column. */
  const change = async (column: "taxes" | "seller" | "exemption", value: unknown) => {
    const database = await site.database();
    const written = typeof value === "string" ? value : JSON.stringify(value);
    const statement = database.prepare(`update documents set ${column} = ? where order_id = ?`).bind(written, order.id);
    await rewriteDocuments(database, statement);
  };
  const sheet = async () => (await visitor.open(`/settings/orders/receipt?order=${order.id}`)).text();

  beforeAll(async () => {
    visitor = await subscriber(site, "ada@example.com");
    order = await newest("ada@example.com", "paid");
  });

  test("shows the net amount and each tax with its rate, on its sheet and on the order's page", async () => {
    await change("taxes", [
      { name: "VAT", percent: 8.1, amountMinor: 45, isReverseCharge: false },
      { name: null, percent: null, amountMinor: 12, isReverseCharge: false },
    ]);
    const [vat, other] = [messages.taxAt("VAT", "8.1%"), messages.taxAt(null, null)];
    const breakdown = `${vat} ${amount(45)} ${other} ${amount(12)} ${messages.money.invoice}`;
    expect(await sheet()).toContain(breakdown);
    expect(await read(visitor, order)).toContain(breakdown);
    expect(await sheet()).toContain(messages.net);
  });

  test("shows a reverse charge", async () => {
    await change("taxes", [{ name: null, percent: null, amountMinor: 0, isReverseCharge: true }]);
    expect(await sheet()).toContain(`${messages.reverseCharge} ${amount(0)} ${messages.money.invoice}`);
  });

  test("without tax has the seller's wording for it, or says that there is none", async () => {
    await change("taxes", []);
    expect(await sheet()).toContain(messages.noTax);
    await change("exemption", "No VAT under the small business scheme");
    for (const text of [await sheet(), await read(visitor, order)]) {
      expect(text).toContain("No VAT under the small business scheme");
      expect(text).not.toContain(messages.noTax);
    }
  });

  test("has the seller's days, wherever its reader is, on its sheet and on the order's page", async () => {
    const database = await site.database();
    const noon = Date.UTC(2026, 10, 20, 12);
    const moved = "issued_at = ?1, lines = json_set(lines, '$[0].periodStartsAt', ?1, '$[0].periodEndsAt', ?1)";
    const write = database.prepare(`update documents set ${moved} where order_id = ?2`).bind(noon, order.id);
    await rewriteDocuments(database, write);
    await database.prepare("update orders set paid_at = ? where id = ?").bind(noon, order.id).run();
    const readFrom = async (timeZone: string) => {
      await database
        .prepare("update accounts set time_zone = ? where email_canonical = 'ada@example.com'")
        .bind(timeZone)
        .run();
      const page = await read(visitor, order);
      const charge = page.slice(page.indexOf(messages.headline.paid(price(small), "")), page.indexOf(messages.details));
      return [await sheet(), charge];
    };
    const here = await readFrom("UTC");
    for (const part of here) expect(part.match(/20.Nov/g)?.length).toBeGreaterThanOrEqual(3);
    expect(await readFrom("Pacific/Kiritimati")).toEqual(here);
    expect(await readFrom("Pacific/Pago_Pago")).toEqual(here);
  });

  test("lists the money that went back so that it adds up to what is left, and credit apart from it", async () => {
    const database = await site.database();
    const columns =
      "order_id, currency, net_minor, tax_minor, total_minor, lines, taxes, seller, buyer, issued_at, time_zone, corrects";
    const add = (cause: string, reason: string, moneyMinor: number) =>
      database
        .prepare(
          `insert into documents (${columns}, kind, cause, reason, money_minor, steps, number_year, number_in_year)
           select ${columns}, 'credit-note', ?1, ?2, ?3, '[]', 2026, (select coalesce(max(number_in_year), 0) + 1
             from documents where kind = 'credit-note' and number_year = 2026)
           from documents where order_id = ?4 and kind = 'invoice'`,
        )
        .bind(cause, reason, moneyMinor, order.id)
        .run();
    await add("re_more", "refund", minor(small) - 100);
    await add("credit", "credit", 0);
    const { corrections, creditNote, retained } = messages;
    expect(await read(visitor, order)).toMatch(
      pattern`${corrections.refund} .*, ${creditNote("CN-")}\S+ ${amount(100 - minor(small))} ${retained} ${amount(100)} ${corrections.credit} .*, ${creditNote("CN-")}\S+ ${price(small)}`,
    );
  });

  test("names the seller of the day of the payment, without a VAT ID if there was none", async () => {
    await change("seller", { name: "Old & Sons", address: ["Old Road 1"], vatId: null });
    const old = `${messages.seller} Old & Sons Old Road 1 ${messages.billedTo}`;
    expect(await sheet()).toContain(old);
    expect(await read(visitor, order)).toContain(old);
  });
});

describe("the CSV file of orders", () => {
  test("is an uncached attachment with the filtered orders, for its owner only", async () => {
    const visitor = await subscriber(site, "csv@example.com");
    const order = await newest("csv@example.com", "paid");
    await visitor.open("/settings/orders");
    const path = linkOf(visitor, ordersMessages.en.csv);
    expect(path).toBe("/settings/orders.csv");
    const Cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await site.fetch(path, { headers: { Cookie } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8; header=present");
    expect(answer.headers.get("Content-Disposition")).toBe(
      `attachment; filename="${fileNamePart(product.name)}-orders.csv"`,
    );
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [, line = "", ...rest] = new TextDecoder().decode(bytes).split("\r\n");
    expect(line).toMatch(
      pattern`^${order.number},\d{4}-\d\d-\d\d,new-plan,${small.name},month,paid,none,${product.currency},${toDecimal({ amountMinor: minor(small), currency: product.currency })},${minor(small)},.*,${order.id},.*$`,
    );
    expect(rest).toEqual([""]);
    const narrowed = await site.fetch("/settings/orders.csv?state=failed&year=2019", { headers: { Cookie } });
    expect(narrowed.headers.get("Content-Disposition")).toContain(
      `${fileNamePart(product.name)}-orders-2019-failed.csv`,
    );
    expect((await narrowed.text()).split("\r\n")).toHaveLength(2);
    const signedOut = await site.fetch("/settings/orders.csv?year=2026");
    expect([signedOut.status, signedOut.headers.get("Location")]).toEqual([
      303,
      "/login?redirectTo=%2Fsettings%2Forders.csv%3Fyear%3D2026",
    ]);
  });
});

describe("the list of orders", () => {
  test("is only the attempts, without a filter, for a customer with unfinished attempts only", async () => {
    const visitor = await signUp(site, "abandoned@example.com");
    const database = await site.database();
    await database.batch(
      ["cancelled", "expired"].map((state) =>
        database
          .prepare(
            `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at)
             select ?1, id, ?2, 'new-plan', '${small.id}', 'month', 'EUR', 600, ?3, 0 from accounts where email_canonical = ?4`,
          )
          .bind(`ord_${state}`, state, Date.now(), "abandoned@example.com"),
      ),
    );
    await visitor.open("/settings/orders");
    expect(visitor.text()).not.toContain(ordersMessages.en.empty.title);
    expect(visitor.text()).not.toContain(ordersMessages.en.lead);
    expect(visitor.html).not.toContain("<select");
    expect(visitor.html).toContain('<details class="disclosure" open');
    for (const state of ["cancelled", "expired"] as const) {
      await visitor.open("/settings/orders");
      expect(visitor.html).toContain(`/settings/orders/ord_${state}`);
      await visitor.open(`/settings/orders/ord_${state}`);
      expect(visitor.heading()).toBe(orderDetailMessages.en.title.over);
      expect(visitor.text()).toContain(orderDetailMessages.en.headline.never());
      expect(visitor.text()).not.toContain(orderDetailMessages.en.asked);
      await visitor.open(`/settings/orders?state=${state}`);
      expect(visitor.html).toContain(`/settings/orders/ord_${state}`);
      // The way back says what it leaves out.
      expect(visitor.html).toMatch(pattern`<option value=""[^>]*>${ordersMessages.en.filter.everyState(true)}<`);
    }
  });

  test("shows its filters, applies them, explains an empty result, and links to the next and previous page", async () => {
    const visitor = await subscriber(site, "list@example.com");
    await newest("list@example.com", "paid");
    expect((await visitor.open("/settings/orders")).html).not.toContain('name="year"');
    const database = await site.database();
    // No payments a year ago; thirty renewals were cancelled.
    const past = Date.UTC(2024, 5, 1);
    await database.batch(
      Array.from({ length: 30 }, (_, nth) =>
        database
          .prepare(
            `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at)
             select ?, id, 'expired', 'renewal', '${small.id}', 'month', 'EUR', 600, ?, 0 from accounts where email_canonical = ?`,
          )
          .bind(`ord_past${nth}`, past + nth, "list@example.com"),
      ),
    );
    await visitor.open("/settings/orders");
    const options = [...visitor.html.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value);
    expect(options).toEqual(["", String(new Date().getUTCFullYear()), "2024", "", "paid", "expired"]);
    await visitor.open(linkOf(visitor, ordersMessages.en.older));
    expect(visitor.path()).toMatch(/^\/settings\/orders\?after=\d+\.ord_past\d+$/);
    expect(visitor.text()).not.toContain(ordersMessages.en.older);
    expect(linkOf(visitor, ordersMessages.en.newest)).toBe("/settings/orders");

    await visitor.open("/settings/orders?year=2024&state=expired");
    expect(linkOf(visitor, ordersMessages.en.older)).toMatch(/^\/settings\/orders\?year=2024&state=expired&after=/);
    expect(linkOf(visitor, ordersMessages.en.csv)).toBe("/settings/orders.csv?year=2024&state=expired");
    await visitor.open("/settings/orders?year=2024&state=paid");
    expect(visitor.text()).toContain(ordersMessages.en.nothing.text(2024, orderStateMessages.en.states.paid));
    expect(linkOf(visitor, ordersMessages.en.nothing.all)).toBe("/settings/orders");
    await visitor.open("/settings/orders?after=5.ord_1");
    expect(visitor.text()).toContain(ordersMessages.en.nothing.older);
    // Invalid values count as absent.
    await visitor.open("/settings/orders?year=last&state=lovely&after=x");
    expect(visitor.text()).toContain(ordersMessages.en.older);
  });

  test("takes at most two round trips, and so does each order's page", async () => {
    const visitor = await subscriber(site, "trips@example.com");
    const order = await newest("trips@example.com", "paid");
    for (const query of ["", `/${order.id}`, "?year=2026&state=paid&after=5.ord_1"]) {
      await visitor.open(`/settings/orders${query}`);
      expect(visitor.headers.get("Server-Timing")).toBe('d1;desc="2", d1-in-a-row;desc="1"');
    }
  });
});

describe("refunds and disputes", () => {
  test("are shown with each amount, reduce only what is left, and leave the invoice as it was", async () => {
    const visitor = await subscriber(site, "refund@example.com");
    const order = await newest("refund@example.com", "paid");
    const sheet = async () => {
      await visitor.open(`/settings/orders/receipt?order=${order.id}`);
      return /<div class="receipt">.*<\/article>/s.exec(visitor.html)?.[0];
    };
    const before = await sheet();
    expect(before).toContain(order.number);
    await control("refund", { order: order.id, amountMinor: 150 });
    await newest("refund@example.com", "partially-refunded");
    await control("refund", { order: order.id, amountMinor: 50 });
    await expect
      .poll(() => read(visitor, order))
      .toMatch(
        pattern`${orderHistoryMessages.en.money.refund(amount(150))}.*${orderHistoryMessages.en.money.refund(amount(50))}`,
      );
    const { corrections, creditNote, retained, money } = orderDetailMessages.en;
    const notes = pattern`${corrections.refund} .*, (${creditNote("CN-")}\S+) ${amount(-150)} .*, (${creditNote("CN-")}\S+) ${amount(-50)} ${retained} ${amount(minor(small) - 200)}`;
    expect(visitor.text()).toContain(`${money.invoice} ${price(small)}`);
    expect(visitor.text()).toMatch(notes);
    expect(visitor.text()).toContain(orderHistoryMessages.en.emailed.refund);
    expect(await sheet()).toBe(before);

    // Each has a document of its own, and the email has its number.
    const [, first = ""] = notes.exec(await read(visitor, order)) ?? [];
    const number = first.replace(creditNote(""), "");
    await visitor.open(linkOf(visitor, first));
    const { headings, corrects } = orderReceiptMessages.en;
    expect(visitor.heading()).toBe(headings["credit-note"]);
    expect(visitor.text()).toMatch(
      pattern`${number} ${corrects("refund")} ${order.number} .*${messagesOfTax}.* ${money.refund} ${amount(150)}`,
    );
    const stranger = await signUp(site, "note-stranger@example.com");
    for (const path of [visitor.path(), visitor.path().replace(number, "CN-2026-999999")]) {
      await stranger.open(path);
      expect(stranger.status).toBe(404);
    }
    const emails = await site.emailsTo("refund@example.com", 4);
    expect(emails.filter(({ text }) => text.includes(number))).toHaveLength(1);
  });

  test("decided by a bank are shown as they develop", async () => {
    const visitor = await subscriber(site, "dispute@example.com");
    const order = await newest("dispute@example.com", "paid");
    await control("dispute", { order: order.id });
    await expect.poll(() => read(visitor, order)).toContain(orderHistoryMessages.en.money.dispute(price(small)));
    await control("dispute", { order: order.id, outcome: "won" });
    await expect.poll(() => read(visitor, order)).toContain(orderHistoryMessages.en.money["dispute-won"](price(small)));
    expect(visitor.text()).toMatch(
      pattern`${orderHistoryMessages.en.emailed.dispute} .* ${orderHistoryMessages.en.emailed["dispute-won"]}`,
    );
  });
});

describe("a renewal", () => {
  test("that fails shows the reason and the next retry, and accepts the payment; once paid, it has the buyer's name of that day", async () => {
    const address = "renewal@example.com";
    const visitor = await subscriber(site, address, { card: "4000000000000341" });
    const [bought] = await ordersOfCustomer(site, address);
    const customer = bought?.customer ?? "";
    await site.stripe?.sdk.customers.update(customer, {
      name: "Mara & Söhne",
      address: { line1: "Deich 1", postal_code: "20359", city: "Hamburg", country: "DE" },
    });
    await site.stripe?.sdk.customers.createTaxId(customer, { type: "eu_vat", value: "DE136695976" });
    await control("clock", { advanceDays: 32 });
    const order = await newest(address, "failed");
    expect(order.kind).toBe("renewal");
    expect(await read(visitor, order)).toContain(orderDetailMessages.en.unpaid.failed);
    expect(visitor.text()).toMatch(fillGaps(orderDetailMessages.en.unpaid.nextTry(gap), aDay));
    expect(visitor.text()).toMatch(
      pattern`${orderHistoryMessages.en.states.pending.renewal} .* ${orderHistoryMessages.en.declined(1)}`,
    );
    // What it is for and how much, once each.
    const { due, planLine } = orderDetailMessages.en;
    const pay = beginningOf(payDueMessages.en.pay(price(small), gap));
    expect(visitor.text()).toMatch(fillGaps(due(price(small), gap), aDay));
    expect(visitor.text()).toContain(planLine(`${product.name} ${small.name}`, "renewal", "month"));
    expect(visitor.text()).not.toContain(orderDetailMessages.en.asked);
    expect(visitor.text()).not.toContain(orderDetailMessages.en.why);
    expect(visitor.text()).not.toContain(orderDetailMessages.en.withdrawal.link);
    await visitor.press(pay);
    expect(visitor.path()).toBe(`/payment/failed?order=${order.id}`);
    expect(await read(visitor, order)).toContain(orderHistoryMessages.en.declined(2));

    // Another card, and it succeeds.
    const portal = await visitor.open(pages.plan);
    await portal.press(payDueMessages.en.another.card);
    await fetch(portal.url, { method: "POST", body: new URLSearchParams({ number: "5555555555554444" }) });
    await visitor.open(`/settings/orders/${order.id}`);
    await visitor.press(pay);
    expect(visitor.path()).toBe(`/payment/success?order=${order.id}`);
    const text = await read(visitor, order);
    const country = new Intl.DisplayNames("en", { type: "region" }).of("DE");
    expect(text).toMatch(
      new RegExp(
        `${orderDetailMessages.en.billedTo} Mara & Söhne ?Deich 1 ?20359 Hamburg ?${country} ?${orderDetailMessages.en.vatId("DE136695976")}`,
      ),
    );
    expect(text).toContain(`${orderDetailMessages.en.paidBy} Mastercard •••• 4444`);
    expect(text).not.toContain(pay);
    // Another format of dates and amounts doesn't change the page's language.
    const database = await site.database();
    await database.prepare("update accounts set locale = 'de-DE' where email_canonical = ?").bind(address).run();
    await visitor.open(`/settings/orders/receipt?order=${order.id}`);
    expect(visitor.text()).toMatch(pattern`20359 Hamburg ?${country} ?VAT`);
    const paid = (await ordersOfCustomer(site, address)).at(-1);
    expect(paid?.number).toMatch(/^\d{4}-\d{6}$/);
  });
});

describe("a change of plan", () => {
  test("shows the unused part of the old plan as a negative line, and its lines add up to the charge", async () => {
    const address = "change@example.com";
    const visitor = await subscriber(site, address);
    await control("clock", { advanceDays: 10 });
    const [bought] = await ordersOfCustomer(site, address);
    const sdk = site.stripe?.sdk;
    const [subscription] = (await sdk?.subscriptions.list({ customer: bought?.customer ?? "" }))?.data ?? [];
    const [yearly] = (await sdk?.prices.list({ lookup_keys: [`${small.id}_year`] }))?.data ?? [];
    // As the team does it in the provider's dashboard on request: it wasn't started here.
    await sdk?.subscriptions.update(subscription?.id ?? "", {
      items: [{ id: subscription?.items.data[0]?.id ?? "", price: yearly?.id ?? "" }],
      proration_behavior: "always_invoice",
    });
    await expect
      .poll(async () => (await ordersOfCustomer(site, address)).at(-1))
      .toMatchObject({ kind: "change", state: "paid" });
    const order = await newest(address, "paid");
    const text = await read(visitor, order);
    expect(text).toContain(explanationMessages.en.because("change-period", small.name, "year"));
    expect(text).toContain(orderHistoryMessages.en.states.paid.change);
    const lines = await (
      await site.database()
    )
      .prepare("select amount_minor as amountMinor from order_lines where order_id = ?")
      .bind(order.id)
      .all<{ amountMinor: number }>();
    expect(lines.results.filter(({ amountMinor }) => amountMinor < 0)).toHaveLength(1);
    const charged = await (
      await site.database()
    )
      .prepare("select amount_minor as amountMinor from orders where id = ?")
      .bind(order.id)
      .first<{ amountMinor: number }>();
    expect(lines.results.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(charged?.amountMinor);
    for (const step of ["carried-from", "carried-to"] as const) {
      expect(text).not.toContain(orderDetailMessages.en.steps[step]);
    }
  });
});
