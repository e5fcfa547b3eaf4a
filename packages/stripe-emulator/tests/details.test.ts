import type Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { openCheckout, refusal, setUpStripeEmulator } from "./driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

const ADDRESS = { name: "Ada Ltd", line1: "1 Main St", postal_code: "10115", city: "Berlin", country: "DE" };
const press = async (session: Stripe.Checkout.Session, fields: Record<string, string>): Promise<string> => {
  const answer = await fetch(`${local.origin}/checkout/${session.id}`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(fields),
  });
  return answer.headers.get("location") ?? `${answer.status} ${await answer.text()}`;
};
const look = async (session: Stripe.Checkout.Session, query = "") =>
  (await fetch(`${local.origin}/checkout/${session.id}${query}`)).text();
const invoicesOf = async ({ id }: Stripe.Customer) => (await stripe.invoices.list({ customer: id })).data;

describe("tax ids", () => {
  test.each([
    ["eu_vat", "DE123456789", "DE", "pending"],
    ["eu_vat", "DE000000000", "DE", "verified"],
    ["eu_vat", "DE111111111", "DE", "unverified"],
    ["eu_vat", "EL123456789", "GR", "pending"],
    ["eu_vat", "ATU12345678", "AT", "pending"],
    ["eu_vat", "NL123456789B01", "NL", "pending"],
    ["gb_vat", "GB123456789", "GB", "pending"],
    ["ch_vat", "CHE-123.456.789 MWST", "CH", "pending"],
    ["no_vat", "123456789MVA", "NO", "pending"],
  ] as const)("%s %s is accepted, as %s's and %s", async (type, value, country, status) => {
    const { id } = await stripe.customers.create({});
    const taxId = await stripe.customers.createTaxId(id, { type, value });
    expect(taxId).toMatchObject({
      object: "tax_id",
      type,
      value,
      country,
      customer: id,
      owner: { type: "customer", customer: id },
      verification: { status },
    });
    const { data } = await stripe.events.list({ type: "customer.tax_id.created", limit: 1 });
    expect(data[0]?.data.object).toMatchObject({ id: taxId.id });
  });

  test.each(["DE12345678", "de123456789", "FR12345", "US123456789", "EU", "DE 123456789"])(
    "%s doesn't have the format of a European VAT id, and is refused",
    async (value) => {
      const { id } = await stripe.customers.create({});
      expect(await refusal(stripe.customers.createTaxId(id, { type: "eu_vat", value }))).toMatchObject({
        statusCode: 400,
        code: "tax_id_invalid",
        param: "value",
      });
      expect((await stripe.customers.listTaxIds(id)).data).toEqual([]);
    },
  );

  test("can be listed, read, removed by their own customer only, and expanded on the customer", async () => {
    const [one, other] = [await stripe.customers.create({}), await stripe.customers.create({})];
    const taxId = await stripe.customers.createTaxId(one.id, { type: "eu_vat", value: "DE123456789" });
    expect((await stripe.customers.listTaxIds(one.id)).data.map(({ id }) => id)).toEqual([taxId.id]);
    expect(await stripe.customers.retrieveTaxId(one.id, taxId.id)).toMatchObject({ id: taxId.id });
    expect(await stripe.customers.retrieve(one.id, { expand: ["tax_ids"] })).toMatchObject({
      tax_ids: { data: [{ value: "DE123456789" }] },
    });
    expect(await refusal(stripe.customers.deleteTaxId(other.id, taxId.id))).toMatchObject({ statusCode: 404 });
    expect(await stripe.customers.deleteTaxId(one.id, taxId.id)).toMatchObject({ id: taxId.id, deleted: true });
    expect(await refusal(stripe.customers.retrieveTaxId(one.id, taxId.id))).toMatchObject({ statusCode: 404 });
  });
});

describe("checkout collects", () => {
  test("name, address and VAT id, which are saved to the customer on request, and are on the first invoice", async () => {
    const { customer, session } = await openCheckout(stripe, {
      billing_address_collection: "required",
      tax_id_collection: { enabled: true },
      customer_update: { address: "auto", name: "auto" },
    });
    expect(await look(session)).toContain("Street and number");
    expect(await press(session, { ...ADDRESS, tax_id: "de 123 456 789", number: "4242424242424242" })).toContain(
      "/payment/success",
    );
    expect(await stripe.customers.retrieve(customer.id, { expand: ["tax_ids"] })).toMatchObject({
      name: "Ada Ltd",
      address: { city: "Berlin", country: "DE" },
      tax_ids: { data: [{ type: "eu_vat", value: "DE123456789" }] },
    });
    expect(await invoicesOf(customer)).toMatchObject([
      {
        customer_name: "Ada Ltd",
        customer_address: { city: "Berlin" },
        customer_tax_ids: [{ type: "eu_vat", value: "DE123456789" }],
      },
    ]);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      customer_details: { name: "Ada Ltd", tax_ids: [{ value: "DE123456789" }] },
    });
    const [method] = (await stripe.paymentMethods.list({ customer: customer.id })).data;
    expect(method).toMatchObject({ billing_details: { name: "Ada Ltd", address: { city: "Berlin" } } });
  });

  test("an address that isn't saved to the customer stays with the session and the card", async () => {
    const { customer, session } = await openCheckout(stripe, { billing_address_collection: "required" });
    await press(session, { ...ADDRESS, number: "4242424242424242" });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ name: null, address: null });
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      customer_details: { address: { city: "Berlin" } },
    });
  });

  test.each([
    [{ ...ADDRESS, name: "" }, "name", "The invoice needs a name."],
    [{ ...ADDRESS, line1: "" }, "address", "The address needs a street"],
    [{ ...ADDRESS, country: "Germany" }, "country", "two letters"],
    [{ ...ADDRESS, tax_id: "123" }, "tax-id", "This is no VAT id."],
  ])(
    "no incomplete details, which are refused with a message and without a payment: %j",
    async (fields, problem, message) => {
      const { customer, session } = await openCheckout(stripe, {
        billing_address_collection: "required",
        tax_id_collection: { enabled: true },
        customer_update: { name: "auto" },
      });
      expect(await press(session, { ...fields, number: "4242424242424242" })).toContain(`?problem=${problem}`);
      expect(await look(session, `?problem=${problem}`)).toContain(message);
      expect(await invoicesOf(customer)).toEqual([]);
    },
  );

  test("a business's name and VAT id if no address is collected: a person may leave both empty, or only the VAT id", async () => {
    const asking: Stripe.Checkout.SessionCreateParams = {
      tax_id_collection: { enabled: true },
      customer_update: { name: "auto", address: "auto" },
    };
    const { customer, session } = await openCheckout(stripe, asking);
    expect(await look(session)).not.toContain("Street and number");
    const refused = await press(session, { tax_id: "DE123456789", number: "4242424242424242" });
    expect(refused).toContain("?problem=business");
    expect(await look(session, "?problem=business")).toContain("A VAT id needs the name of the business");
    await press(session, { name: "Ada Ltd", tax_id: "DE123456789", number: "4242424242424242" });
    expect(await invoicesOf(customer)).toMatchObject([
      { customer_name: "Ada Ltd", customer_tax_ids: [{ value: "DE123456789" }] },
    ]);
    const consumer = await openCheckout(stripe, asking);
    expect(await press(consumer.session, { number: "4242424242424242" })).toContain("/payment/success");
  });

  test("nothing unless requested", async () => {
    const { session } = await openCheckout(stripe);
    expect(await look(session)).not.toContain("Street and number");
  });

  test("a VAT id of a known customer only with the permission to change the name, as with Stripe", async () => {
    expect(await refusal(openCheckout(stripe, { tax_id_collection: { enabled: true } }))).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining("customer_update[name]"),
    });
  });
});

describe("automatic tax", () => {
  const UPDATES = { address: "auto", name: "auto" } as const;
  const taxed = (extra: Stripe.Checkout.SessionCreateParams = {}) =>
    openCheckout(stripe, { automatic_tax: { enabled: true }, customer_update: { address: "auto" }, ...extra });

  test("needs a location before it is calculated, and is then part of the price", async () => {
    const { customer, session } = await taxed();
    expect(session).toMatchObject({
      automatic_tax: { enabled: true, status: "requires_location_inputs" },
      total_details: { amount_tax: 0 },
      amount_total: 600,
    });
    await press(session, { ...ADDRESS, number: "4000000000000002" });
    expect(await stripe.checkout.sessions.retrieve(session.id, { expand: ["line_items"] })).toMatchObject({
      automatic_tax: { status: "complete" },
      total_details: { amount_tax: 100 },
      amount_total: 600,
      line_items: { data: [{ amount_tax: 100, amount_total: 600 }] },
    });
    await press(session, { ...ADDRESS, number: "4242424242424242" });
    expect(await invoicesOf(customer)).toMatchObject([{ total: 600, total_taxes: [{ amount: 100 }] }]);
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ address: { country: "DE" } });
    const [invoice] = await invoicesOf(customer);
    const rate = await stripe.taxRates.retrieve(invoice?.total_taxes?.[0]?.tax_rate_details?.tax_rate ?? "");
    expect(rate).toMatchObject({ object: "tax_rate", display_name: "VAT", effective_percentage: 20, inclusive: true });
    expect(await refusal(stripe.taxRates.retrieve("txr_nowhere"))).toMatchObject({ statusCode: 404 });
  });

  test("uses the location of a customer who has an address", async () => {
    const customer = await stripe.customers.create({ address: { country: "DE", city: "Berlin" } });
    const { session } = await taxed({ customer: customer.id });
    expect(session).toMatchObject({ automatic_tax: { status: "complete" }, total_details: { amount_tax: 100 } });
    expect(await look(session)).toContain('value="Berlin"');
  });

  test("requires a location", async () => {
    expect(await refusal(openCheckout(stripe, { automatic_tax: { enabled: true } }))).toMatchObject({
      statusCode: 400,
      code: "customer_tax_location_invalid",
    });
    const { session } = await taxed();
    expect(await press(session, { number: "4242424242424242" })).toContain("?problem=name");
  });

  const REVERSE = { amount: 0, taxability_reason: "reverse_charge", taxable_amount: 0, tax_behavior: "inclusive" };

  test("of a business in another country of the EU is a reverse charge, in the session and on its invoices", async () => {
    const { customer, session } = await taxed({ tax_id_collection: { enabled: true }, customer_update: UPDATES });
    await press(session, { ...ADDRESS, number: "4000000000000002" });
    expect((await stripe.checkout.sessions.retrieve(session.id)).total_details?.amount_tax).toBe(100);
    await press(session, { ...ADDRESS, tax_id: "DE123456789", number: "4242424242424242" });
    expect(await stripe.checkout.sessions.retrieve(session.id, { expand: ["line_items"] })).toMatchObject({
      amount_total: 600,
      automatic_tax: { status: "complete" },
      // As with Stripe, whose automatic tax leaves the customer's own setting alone.
      customer_details: { tax_exempt: "none", tax_ids: [{ type: "eu_vat", value: "DE123456789" }] },
      total_details: { amount_tax: 0 },
      line_items: { data: [{ amount_tax: 0, amount_total: 600 }] },
    });
    await local.control("clock", { advanceDays: 32 });
    const invoices = await invoicesOf(customer);
    expect(invoices).toHaveLength(2);
    for (const invoice of invoices) {
      expect(invoice).toMatchObject({
        customer_tax_exempt: "none",
        customer_tax_ids: [{ type: "eu_vat", value: "DE123456789" }],
        lines: { data: [{ amount: 600, taxes: [REVERSE] }] },
        subtotal_excluding_tax: 600,
        total: 600,
        total_excluding_tax: 600,
        total_taxes: [REVERSE],
      });
    }
    const rate = invoices[0]?.total_taxes?.[0]?.tax_rate_details?.tax_rate ?? "";
    expect(await stripe.taxRates.retrieve(rate)).toMatchObject({ display_name: "VAT", percentage: 0 });
    const page = await (await fetch(invoices[0]?.hosted_invoice_url ?? "")).text();
    expect(page).toContain("Reverse charge");
    expect(page).toContain("DE123456789");
  });

  test.each([
    ["in the seller's own country", "IE", "IE1234567WA", "standard_rated"],
    ["with an id of no member state", "DE", "GB123456789", "standard_rated"],
    ["outside the EU", "CH", "CHE-123.456.789 MWST", "standard_rated"],
    ["with the id of a third member state", "DE", "ATU12345678", "reverse_charge"],
    // Stripe's docs leave it to the seller to look at the result of the verification.
    ["with an id that isn't verified", "DE", "DE111111111", "reverse_charge"],
  ])("of a business %s: %s, %s is %s", async (_, country, tax_id, reason) => {
    const { customer, session } = await taxed({ tax_id_collection: { enabled: true }, customer_update: UPDATES });
    await press(session, { ...ADDRESS, country, tax_id, number: "4242424242424242" });
    expect(await invoicesOf(customer)).toMatchObject([{ total_taxes: [{ taxability_reason: reason }] }]);
  });

  test.each([
    ["exempt", "customer_exempt"],
    ["reverse", "reverse_charge"],
  ] as const)("follows the customer's own setting: %s is %s", async (tax_exempt, reason) => {
    const { id } = await stripe.customers.create({ address: { country: "IE", city: "Dublin" }, tax_exempt });
    const { session } = await taxed({ customer: id });
    expect(session).toMatchObject({ total_details: { amount_tax: 0 }, customer_details: { tax_exempt } });
    await local.control("checkout", { session: session.id, outcome: "paid" });
    const { data } = await stripe.invoices.list({ customer: id });
    expect(data).toMatchObject([
      { customer_tax_exempt: tax_exempt, total: 600, total_taxes: [{ amount: 0, taxability_reason: reason }] },
    ]);
  });

  test("is calculated for the last time when the invoice is finalized: a VAT id given an hour before counts", async () => {
    const { customer, session } = await taxed();
    await press(session, { ...ADDRESS, number: "4242424242424242" });
    await local.control("clock", { advanceDays: 31 });
    const [draft] = await invoicesOf(customer);
    expect(draft).toMatchObject({ status: "draft", total_taxes: [{ amount: 100 }] });
    await stripe.customers.createTaxId(customer.id, { type: "eu_vat", value: "DE123456789" });
    await local.control("clock", { advanceDays: 1 });
    expect(await stripe.invoices.retrieve(draft?.id ?? "")).toMatchObject({
      status: "paid",
      total_excluding_tax: 600,
      total_taxes: [REVERSE],
    });
  });

  test("has a location when a control call pays", async () => {
    const { customer, session } = await taxed();
    await local.control("checkout", { session: session.id, outcome: "paid" });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ address: { country: "IE" } });
  });
});
