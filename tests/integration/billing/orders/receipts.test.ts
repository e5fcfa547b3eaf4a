import { invariant } from "#app/core/invariant.ts";
import type { OrderId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { formatMoney, sumMinor } from "#app/core/money/money.ts";
import { done } from "#app/core/result.ts";
import { dayMs } from "#app/core/time/time.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { receiptMessages } from "#app/modules/email/messages/receipt.messages.ts";
import { type DocumentCursor } from "#app/modules/billing/documents/queries.server.ts";
import { listDocuments } from "#app/modules/billing/documents/everyone.queries.server.ts";
import { documentNumber, documentRows, moneyLeft } from "#app/modules/billing/documents/rules.ts";
import { accountingYear, orderNumber } from "#app/modules/billing/orders/rules.ts";
import { readMetrics } from "#app/modules/operators/reads/read-metrics.server.ts";
import { showOrder } from "#app/modules/billing/history/reads/show-order.server.ts";
import { writeOrdersCsv } from "#app/modules/billing/history/reads/write-orders-csv.server.ts";
import { showReceipt } from "#app/modules/billing/history/reads/show-receipt.server.ts";
import { product } from "#app/product/config.ts";
import { minor, small } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

const testCard = "4242424242424242";
const address = { line1: "1 Main St", postal_code: "10115", city: "Berlin", country: "DE" };

/** A purchase in which the hosted checkout is filled in with these fields. */
async function buyAs(harness: BillingHarness, fields: Record<string, string>): Promise<OrderId> {
  const begun = await harness.choose();
  if (!begun.ok) throw new Error(begun.refusal.reason);
  expect(await harness.send(begun.value.url, { ...fields, testCard })).toContain("/payment/success");
  await harness.reconcile();
  return begun.value.orderId;
}

async function documentsOf(harness: BillingHarness, orderId: OrderId) {
  const receipt = await showReceipt(harness.app, harness.accountId, orderId);
  if (!receipt) throw new Error("There is no receipt");
  return receipt;
}

async function invoiceOf(harness: BillingHarness, orderId: OrderId) {
  return (await documentsOf(harness, orderId)).invoice;
}

/** The buyers' names, in the order of the invoices. */
async function buyers(harness: BillingHarness) {
  return (await harness.rows()).documents.map(({ buyer }) => JSON.parse(String(buyer)).name);
}

const untaxed = { tax: { exempt: "No VAT" }, billingAddress: "auto" } as const;

describe("an invoice", () => {
  test("contains the name and VAT ID of a business, if no address is collected", async () => {
    const harness = await openBillingHarness({ ...product, ...untaxed });
    const orderId = await buyAs(harness, { name: "Ada Ltd", tax_id: "DE123456789" });
    expect((await invoiceOf(harness, orderId)).buyer).toMatchObject({ name: "Ada Ltd", vatIds: ["DE123456789"] });
  });

  test("contains also the address, which is required of every buyer if configured", async () => {
    const harness = await openBillingHarness({ ...product, billingAddress: "required" });
    const begun = await harness.choose();
    if (!begun.ok) throw new Error(begun.refusal.reason);
    expect(await harness.send(begun.value.url, { name: "Ada Ltd", testCard })).toContain("problem=address");
    const orderId = await buyAs(harness, { name: "Ada Ltd", ...address, tax_id: "DE123456789" });
    expect((await invoiceOf(harness, orderId)).buyer).toEqual({
      name: "Ada Ltd",
      address: ["1 Main St", "10115 Berlin"],
      country: "DE",
      vatIds: ["DE123456789"],
      paidBy: { method: "visa", last4: "4242" },
    });
  });

  test("keeps those details when the customer's change afterwards", async () => {
    const harness = await openBillingHarness({ ...product, ...untaxed });
    const orderId = await buyAs(harness, { name: "Ada Ltd" });
    await harness.stripe.customers.update(await harness.customerId(), { name: "Bea Ltd" });
    await harness.pass(31.5);
    await harness.reconcile();
    expect((await buyers(harness)).toSorted()).toEqual(["Ada Ltd", "Bea Ltd"]);
    expect((await invoiceOf(harness, orderId)).buyer.name).toBe("Ada Ltd");
  });

  test("keeps the account's name, or else its address, when no name was entered", async () => {
    const harness = await openBillingHarness({ ...product, ...untaxed });
    const rename = (name: string) =>
      harness.app.db.update(accounts).set({ name }).where(eq(accounts.id, harness.accountId));
    const address = `${harness.accountId}@example.com`;
    const orderId = await buyAs(harness, {});
    await rename("Ada Lovelace");
    await harness.pass(31.5);
    await harness.reconcile();
    await rename("Ada King");
    expect((await buyers(harness)).toSorted()).toEqual(["Ada Lovelace", address]);
    expect((await invoiceOf(harness, orderId)).buyer.name).toBe(address);
  });

  test("keeps the seller of the day of the payment, whatever the config says later", async () => {
    const harness = await openBillingHarness();
    const before = { name: "Old & Sons", address: ["Old Road 1"], vatId: "DE111111111" };
    const now = { name: "New & Daughters", address: ["New Road 2"], vatId: null };
    const reconcileAs = (seller: typeof before | typeof now) =>
      harness.reconcile({ ...harness.app, product: { ...harness.app.product, seller } });
    const orderId = await harness.buy();
    await reconcileAs(before);
    await harness.pass(31.5);
    await reconcileAs(now);
    expect((await invoiceOf(harness, orderId)).seller).toEqual(before);
    const { documents } = await harness.rows();
    const sellers = documents.map(({ seller }) => JSON.parse(String(seller)).name);
    expect(sellers.toSorted()).toEqual([now.name, before.name]);
  });

  test("has the net amount and the rate that Stripe charged, the config's rate, or the wording of an exemption", async () => {
    const taxed = await openBillingHarness({ ...product, tax: "stripe" });
    const byStripe = await invoiceOf(taxed, await buyAs(taxed, { name: "Ada", ...address }));
    const taxMinor = Math.round(minor(small) / 6);
    expect(byStripe).toMatchObject({ netMinor: minor(small) - taxMinor, taxMinor, totalMinor: minor(small) });
    expect(byStripe.taxes).toEqual([{ name: "VAT", percent: 20, amountMinor: taxMinor, isReverseCharge: false }]);
    const fixed = await openBillingHarness({ ...product, tax: { rate: 7, name: "GST" }, billingAddress: "auto" });
    const byRate = await invoiceOf(fixed, await buyAs(fixed, {}));
    expect(byRate.taxes).toMatchObject([{ name: "GST", percent: 7, amountMinor: byRate.taxMinor }]);
    expect(byRate.taxMinor).toBe(Math.round((minor(small) * 7) / 107));
    const exempt = await openBillingHarness({ ...product, ...untaxed });
    const without = await invoiceOf(exempt, await buyAs(exempt, {}));
    expect([without.taxes, without.taxMinor, without.exemption]).toEqual([[], 0, "No VAT"]);
  });

  test("states a reverse charge, whose VAT ID stays with it, for a business in another country of the EU", async () => {
    const harness = await openBillingHarness({ ...product, tax: "stripe" });
    const orderId = await buyAs(harness, { name: "Ada Ltd", ...address, tax_id: "DE123456789" });
    const invoice = await invoiceOf(harness, orderId);
    expect(invoice).toMatchObject({ netMinor: minor(small), taxMinor: 0, totalMinor: minor(small), exemption: null });
    expect(invoice.taxes).toMatchObject([{ amountMinor: 0, isReverseCharge: true }]);
    expect(documentRows(invoice).map(({ what }) => what)).toEqual(["net", "reverse-charge"]);
    expect(invoice.buyer).toMatchObject({ country: "DE", vatIds: ["DE123456789"] });
    expect(invoice.seller.vatId).not.toBeNull();
    await harness.control("refund", { order: orderId });
    await harness.reconcile();
    const { creditNotes } = await documentsOf(harness, orderId);
    expect(creditNotes).toMatchObject([{ taxMinor: 0, taxes: [{ isReverseCharge: true }], buyer: invoice.buyer }]);
    const wording = receiptMessages.en.sum({ what: "reverse-charge", amount: "" });
    const stating = () =>
      harness.app.emails.filter(({ text, html }) => text.includes(wording) && html.includes(wording));
    await expect.poll(() => stating().length).toBe(2);
    for (const { text, html } of stating())
      expect([text.includes("DE123456789"), html.includes("DE123456789")]).toEqual([true, true]);
  });

  test("has its order's number and lines, and is dated when it was paid, in the seller's time zone", async () => {
    const harness = await openBillingHarness({ ...product, timeZone: "Pacific/Kiritimati" });
    const orderId = await harness.buy();
    await harness.reconcile();
    const { order, invoice } = await documentsOf(harness, orderId);
    expect(documentNumber(invoice)).toBe(orderNumber(order));
    expect([invoice.issuedAt, invoice.timeZone]).toEqual([order.paidAt, "Pacific/Kiritimati"]);
    expect(invoice.lines).toMatchObject([{ quantity: 1, totalMinor: minor(small) }]);
    expect(invoice.lines[0]?.label).toContain(small.name);
  });

  test("can neither be changed nor deleted", async () => {
    const harness = await openBillingHarness();
    await harness.buy();
    await harness.reconcile();
    const before = (await harness.rows()).documents;
    const columns = Object.keys(before[0] ?? {}).join(", ");
    for (const change of [
      "update documents set total_minor = total_minor - 1, net_minor = net_minor - 1",
      "update documents set buyer = json_set(buyer, '$.name', 'Another')",
      "update documents set buyer = json_object('name', null, 'address', json_array(), 'country', 'FR', 'vatIds', json_array())",
      "update documents set buyer = json_object('name', null, 'address', json_array(), 'country', null, 'vatIds', json_array('DE1'), 'paidBy', 'me')",
      "update documents set buyer = json_object('name', null, 'address', json_array(), 'country', null, 'vatIds', json_array(), 'paidBy', null)",
      "update documents set buyer_kept_until = 1",
      "update documents set issued_at = issued_at + 1",
      "delete from documents",
      ...["insert or replace", "replace"].flatMap((write) => [
        `${write} into documents (${columns}) select ${columns.replace("total_minor", "total_minor + 1").replace("net_minor", "net_minor + 1")} from documents`,
        // Another cause, with the same number.
        `${write} into documents (${columns}) select ${columns.replace("cause", "'re_1'")} from documents`,
      ]),
    ]) {
      await expect(env.DB.prepare(change).run(), change).rejects.toThrow("An issued document");
    }
    expect((await harness.rows()).documents).toEqual(before);
  });
});

describe("a credit note", () => {
  test("is issued once for each refund, with a number of its own, by the invoice's rate", async () => {
    const harness = await openBillingHarness({ ...product, tax: { rate: 19, name: "VAT" } });
    const orderId = await harness.buy();
    await harness.reconcile();
    await harness.control("refund", { order: orderId, amountMinor: 100 });
    await harness.reconcile();
    await harness.control("refund", { order: orderId });
    await harness.reconcile();
    await harness.reconcile();
    const { order, invoice, creditNotes } = await documentsOf(harness, orderId);
    expect(creditNotes.map((note) => [note.numberInYear, note.totalMinor, note.reason, note.corrects])).toEqual([
      [1, 100, "refund", orderNumber(order)],
      [2, minor(small) - 100, "refund", orderNumber(order)],
    ]);
    expect(creditNotes.reduce((sum, { taxMinor }) => sum + taxMinor, 0)).toBe(invoice.taxMinor);
    expect(creditNotes.map(({ buyer }) => buyer)).toEqual([invoice.buyer, invoice.buyer]);
    const emailed = () => harness.app.emails.filter(({ text }) => /CN-\d{4}-00000[12]/.test(text)).length;
    await expect.poll(emailed).toBe(2);
  });

  test("is issued with the invoice, if the money went back before the payment was known", async () => {
    const harness = await openBillingHarness();
    const orderId = await harness.buy();
    await harness.control("refund", { order: orderId });
    await harness.reconcile();
    const { creditNotes } = await documentsOf(harness, orderId);
    expect(creditNotes.map(({ totalMinor, corrects }) => [totalMinor, corrects !== null])).toEqual([
      [minor(small), true],
    ]);
  });

  test("is issued for a lost dispute, since nothing was paid for the sale then, and for none that is open or won", async () => {
    const harness = await openBillingHarness();
    const orderId = await harness.buy();
    await harness.reconcile();
    await harness.control("dispute", { order: orderId });
    await harness.reconcile();
    expect((await documentsOf(harness, orderId)).creditNotes).toEqual([]);
    await harness.control("dispute", { order: orderId, outcome: "lost" });
    await harness.reconcile();
    const { invoice, creditNotes } = await documentsOf(harness, orderId);
    expect(creditNotes.map(({ reason, totalMinor }) => [reason, totalMinor])).toEqual([["dispute-lost", minor(small)]]);
    expect(moneyLeft(invoice, creditNotes)).toBe(0);
  });

  test("of a lost dispute is taken back if it is won on appeal, and everything counts what the bank left then", async () => {
    const harness = await openBillingHarness();
    const orderId = await harness.buy();
    await harness.reconcile();
    await harness.control("dispute", { order: orderId, outcome: "lost" });
    const lost = await harness.record();
    /** The Stripe emulator knows no appeal. */
    const decide = async (state: "lost" | "under-review" | "won") => {
      const charges = lost.charges.map((charge) => ({
        ...charge,
        disputes: charge.disputes.map((dispute) => ({ ...dispute, state })),
      }));
      const fetchBilling = async () => done({ ...structuredClone(lost), charges });
      await harness.reconcile({ ...harness.app, payments: { ...harness.payments, fetchBilling } });
      const { creditNotes, invoice } = await documentsOf(harness, orderId);
      const file = await new Response(
        await writeOrdersCsv(harness.app, harness.accountId, { year: null, state: null }, "comma"),
      ).text();
      const [names = [], cells = []] = file.split("\r\n").map((line) => line.split(","));
      const { revenue } = await readMetrics(harness.app);
      const shown = await showOrder(harness.app, harness.accountId, orderId);
      return {
        notes: creditNotes.map(({ reason, totalMinor }) => [reason, totalMinor]),
        lostMinor: [
          invoice.moneyMinor - moneyLeft(invoice, creditNotes),
          Number(cells[names.indexOf("returned_by_bank_minor")]),
          sumMinor(shown?.returns ?? []),
          revenue.at(-1)?.disputedMinor,
        ],
      };
    };
    const price = minor(small);
    const note = ["dispute-lost", price];
    expect(await decide("lost")).toEqual({ notes: [note], lostMinor: [price, price, price, price] });
    expect(await decide("under-review")).toEqual({ notes: [note], lostMinor: [price, price, price, price] });
    const won = { notes: [note, ["dispute-won", -price]], lostMinor: [0, 0, 0, 0] };
    expect(await decide("won")).toEqual(won);
    expect(await decide("won")).toEqual(won);
    // Each reaches its buyer once, with its own number.
    await harness.app.settled();
    for (const number of [1, 2]) {
      const document = new RegExp(`${receiptMessages.en.title("credit-note", null)} CN-\\d{4}-00000${number}`);
      expect(harness.app.emails.filter(({ text }) => document.test(text))).toHaveLength(1);
    }
  });

  test("that takes back a refund's, because the bank returned it, reaches its buyer with its own number", async () => {
    const harness = await openBillingHarness();
    const orderId = await harness.buy();
    await harness.control("refund", { order: orderId, amountMinor: 100 });
    await harness.reconcile();
    const { charges, ...billing } = await harness.record();
    const returned = charges.map((charge) => ({
      ...charge,
      refundedMinor: 0,
      refunds: charge.refunds.map((refund) => ({ ...refund, state: "failed" as const })),
    }));
    const fetchBilling = async () => done({ ...billing, charges: returned });
    await harness.reconcile({ ...harness.app, payments: { ...harness.payments, fetchBilling } });
    const { creditNotes } = await documentsOf(harness, orderId);
    expect(creditNotes.map(({ reason, totalMinor }) => [reason, totalMinor])).toEqual([
      ["refund", 100],
      ["refund-returned", -100],
    ]);
    await harness.app.settled();
    for (const note of creditNotes) {
      const title = receiptMessages.en.title("credit-note", documentNumber(note));
      expect(harness.app.emails.filter(({ text }) => text.includes(title))).toHaveLength(1);
    }
  });

  test("is dated when the money went back, and its number follows that date's year of the seller, in which it begins at 1", async () => {
    const timeZone = "Pacific/Kiritimati";
    const harness = await openBillingHarness({ ...product, timeZone });
    const orderId = await harness.buy();
    await harness.reconcile();
    await harness.control("refund", { order: orderId, amountMinor: 10 });
    const first = accountingYear(harness.app.clock(), timeZone);
    // In the seller's zone the new year has begun, in UTC it hasn't.
    await harness.pass((Date.UTC(first, 11, 31, 12) - harness.app.clock()) / dayMs);
    await harness.control("refund", { order: orderId, amountMinor: 20 });
    await harness.pass(3);
    await harness.reconcile();
    await harness.control("refund", { order: orderId, amountMinor: 30 });
    await harness.reconcile();
    const { creditNotes } = await documentsOf(harness, orderId);
    expect(
      creditNotes.map(({ totalMinor, numberYear, numberInYear }) => [totalMinor, numberYear, numberInYear]),
    ).toEqual([
      [10, first, 1],
      [20, first + 1, 1],
      [30, first + 1, 2],
    ]);
    const { charges } = await harness.record();
    const refunds = charges.flatMap((charge) => charge.refunds);
    for (const { cause, issuedAt } of creditNotes) {
      expect(issuedAt).toBe(refunds.find(({ id }) => id === cause)?.createdAt);
    }
  });

  test("of simultaneous syncs is one, and its numbers have no gaps", async () => {
    const harness = await openBillingHarness();
    const orderId = await harness.buy();
    await harness.reconcile();
    for (const amountMinor of [100, 150, 50]) await harness.control("refund", { order: orderId, amountMinor });
    await Promise.all(Array.from({ length: 6 }, () => harness.reconcile()));
    await harness.reconcile();
    const { creditNotes } = await documentsOf(harness, orderId);
    expect(creditNotes.map(({ numberInYear }) => numberInYear)).toEqual([1, 2, 3]);
    expect(creditNotes.reduce((sum, { totalMinor }) => sum + totalMinor, 0)).toBe(300);
  });
});

test("documents are listed for the seller's books by their dates, page by page", async () => {
  const harness = await openBillingHarness();
  const orderId = await harness.buy();
  await harness.reconcile();
  await harness.pass(31.5);
  await harness.control("refund", { order: orderId, amountMinor: 100 });
  await harness.reconcile();
  const all = { from: 0, until: Number.MAX_SAFE_INTEGER, after: null, limit: 10 };
  const listed = await listDocuments(harness.app.db, all);
  const dates = listed.map(({ document }) => document.issuedAt);
  expect(dates).toEqual(dates.toSorted((left, right) => left - right));
  expect(listed.map(({ document }) => document.kind).toSorted()).toEqual(["credit-note", "invoice", "invoice"]);
  const paged = [];
  for (let after: DocumentCursor | null = null; ;) {
    const [row] = await listDocuments(harness.app.db, { ...all, after, limit: 1 });
    if (!row) break;
    paged.push(row);
    after = [row.document.issuedAt, row.document.orderId, row.document.cause];
  }
  expect(paged).toEqual(listed);
});

test("the invoice's email contains its number, lines, payment method, seller and buyer", async () => {
  const harness = await openBillingHarness({ ...product, billingAddress: "required" });
  const orderId = await buyAs(harness, { name: "Ada Ltd", ...address });
  const { order } = await documentsOf(harness, orderId);
  await expect.poll(() => harness.app.emails.map(({ subject }) => subject)).toHaveLength(1);
  const [email] = harness.app.emails;
  invariant(email, "No email was sent");
  const { subject, text, html } = email;
  expect(subject).toContain(small.name);
  const { title, seller } = receiptMessages.en;
  const texts = [
    title("invoice", orderNumber(order)),
    "Visa ••••\u00a04242",
    product.seller.name,
    ...product.seller.address,
    "Ada Ltd",
    address.line1,
    seller,
    formatMoney(order, "en"),
    `/settings/orders/${orderId}`,
  ];
  for (const fact of texts) expect([fact, text.includes(fact), html.includes(fact)]).toEqual([fact, true, true]);
});
