import { Stripe } from "stripe";
import { expect, test } from "vitest";
import { fetchTaxRates, readTaxes } from "./taxes.ts";

/** An SDK that gives this response to every tax rate request, and records the requests. */
function stripeThat(answer: (path: string) => Response) {
  const requests: string[] = [];
  const httpClient = Stripe.createFetchHttpClient(async (url) => {
    const { pathname } = new URL(String(url));
    requests.push(pathname);
    return answer(pathname);
  });
  const stripe = new Stripe("local-key", { httpClient, maxNetworkRetries: 0 });
  return { asked: requests, connection: { stripe, within: () => ({}) } };
}

function invoiceWith(taxes: Partial<Stripe.Invoice.TotalTax>[]): Stripe.Invoice {
  const whole = taxes.map((tax) => ({
    amount: 0,
    tax_behavior: "inclusive",
    tax_rate_details: null,
    taxability_reason: "standard_rated",
    taxable_amount: null,
    type: "tax_rate_details",
    ...tax,
  }));
  // Only these two fields of an invoice are read here.
  return { total_excluding_tax: 500, total_taxes: whole } as Stripe.Invoice;
}

const rate = (percentage: number, more = {}) =>
  Response.json({
    object: "tax_rate",
    display_name: "VAT",
    effective_percentage: null,
    flat_amount: null,
    percentage,
    ...more,
  });

test("each rate is requested once, and the effective percentage takes precedence over the statutory one", async () => {
  const { asked: requests, connection } = stripeThat((path) =>
    rate(19, path.endsWith("used") ? { effective_percentage: 7 } : {}),
  );
  const invoice = invoiceWith([
    { amount: 80, tax_rate_details: { tax_rate: "txr_once" } },
    { amount: 20, tax_rate_details: { tax_rate: "txr_used" } },
  ]);
  await fetchTaxRates(connection, [invoice, invoice]);
  await fetchTaxRates(connection, [invoice]);
  expect(requests.toSorted()).toEqual(["/v1/tax_rates/txr_once", "/v1/tax_rates/txr_used"]);
  expect(readTaxes(invoice)).toEqual({
    netMinor: 500,
    parts: [
      { name: "VAT", percent: 19, amountMinor: 80, isReverseCharge: false },
      { name: "VAT", percent: 7, amountMinor: 20, isReverseCharge: false },
    ],
  });
});

test("a key without access to tax rates leaves the amount without its rate; an outage isn't mistaken for that", async () => {
  const invoice = invoiceWith([{ amount: 80, tax_rate_details: { tax_rate: "txr_secret" } }]);
  const error = (status: number) => Response.json({ error: { type: "invalid_request_error" } }, { status });
  await fetchTaxRates(stripeThat(() => error(403)).connection, [invoice]);
  expect(readTaxes(invoice)?.parts).toEqual([{ name: null, percent: null, amountMinor: 80, isReverseCharge: false }]);
  await expect(fetchTaxRates(stripeThat(() => error(500)).connection, [invoice])).rejects.toThrow();
});

test("a flat amount has no rate", async () => {
  const invoice = invoiceWith([{ amount: 35, tax_rate_details: { tax_rate: "txr_flat" } }]);
  const flat = { display_name: "Delivery fee", flat_amount: { amount: 35, currency: "usd" } };
  await fetchTaxRates(stripeThat(() => rate(0, flat)).connection, [invoice]);
  expect(readTaxes(invoice)?.parts).toMatchObject([{ name: "Delivery fee", percent: null }]);
});

test("a reverse charge is listed although its amount is zero; a tax that isn't collected is not", () => {
  expect(readTaxes(invoiceWith([{ taxability_reason: "reverse_charge" }]))?.parts).toEqual([
    { name: null, percent: null, amountMinor: 0, isReverseCharge: true },
  ]);
  expect(readTaxes(invoiceWith([{ taxability_reason: "not_collecting" }]))).toBeNull();
  expect(readTaxes(invoiceWith([]))).toBeNull();
});
