import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { newCode, newId } from "../../ids.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { route, nothing } from "../../http/routing.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { demand, refer } from "../demand.ts";

type Input = ReturnType<typeof readCustomer>;

export const customerRoutes = [
  route(
    "POST",
    "/v1/customers",
    (form) => ({ ...readCustomer(form), testClock: form.text("test_clock") }),
    createCustomer,
  ),
  route(
    "GET",
    "/v1/customers",
    (form) => ({ page: readPage(form), email: form.text("email"), created: form.range("created") }),
    (tx, { page, email, created }) =>
      paginate(
        "/v1/customers",
        page,
        only(
          tx.store.newestFirst("customer"),
          (customer) => (email === undefined || customer.email === email) && created(customer.created),
        ),
      ),
  ),
  route(
    "GET",
    "/v1/customers/:id",
    nothing,
    (tx, _, id = "") => tx.store.find("deleted_customer", id) ?? demand(tx, "customer", id),
  ),
  route("POST", "/v1/customers/:id", readCustomer, updateCustomer),
];

function readCustomer(form: Form) {
  return {
    email: readEmail(form),
    name: form.text("name"),
    description: form.text("description"),
    phone: form.text("phone"),
    locales: form.texts("preferred_locales"),
    address: form.group("address", readAddress),
    taxExempt: form.oneOf("tax_exempt", ["exempt", "none", "reverse"]),
    invoices: form.group("invoice_settings", (settings) => ({
      defaultPaymentMethod: settings.text("default_payment_method"),
      footer: settings.text("footer"),
    })),
    metadata: form.metadata(),
  };
}

/**
 * Stripe doesn't publish its rule. It refuses addresses whose domain has no dot, and spaces. Whether it accepts letters beyond ASCII
 * before the @ (RFC 6531) is unknown: this emulator refuses them, so that the site has to handle the stricter answer.
 */
const EMAIL = /^[!-?A-~]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

function readEmail(form: Form): string | undefined {
  const email = form.text("email");
  if (email === undefined || email === "" || EMAIL.test(email)) return email;
  throw invalid(`Invalid email address: ${email}`, { code: "email_invalid", param: "email" });
}

const readAddress = (form: Form): Stripe.Address => ({
  city: form.text("city") ?? null,
  country: form.text("country") ?? null,
  line1: form.text("line1") ?? null,
  line2: form.text("line2") ?? null,
  postal_code: form.text("postal_code") ?? null,
  state: form.text("state") ?? null,
});

function createCustomer(tx: Transaction, input: Input & { testClock: string | undefined }): Stripe.Customer {
  const customer: Stripe.Customer = {
    id: newId("cus", 14),
    object: "customer",
    address: null,
    balance: 0,
    created: tx.clock.now(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: newCode(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: input.testClock === undefined ? null : refer(tx, "test_clock", input.testClock, "test_clock").id,
  };
  const created = withChanges(tx, customer, input);
  tx.store.put("customer", created);
  tx.record("customer.created", created);
  return created;
}

function updateCustomer(tx: Transaction, input: Input, id = ""): Stripe.Customer {
  const before = demand(tx, "customer", id);
  return saveCustomer(tx, before, withChanges(tx, before, input));
}

function withChanges(tx: Transaction, customer: Stripe.Customer, input: Input): Stripe.Customer {
  const method = input.invoices?.defaultPaymentMethod;
  if (method !== undefined && method !== "")
    refer(tx, "payment_method", method, "invoice_settings[default_payment_method]");
  return {
    ...customer,
    address: input.address ?? customer.address ?? null,
    description: changed(input.description, customer.description),
    email: changed(input.email, customer.email),
    name: changed(input.name, customer.name ?? null),
    phone: changed(input.phone, customer.phone ?? null),
    preferred_locales: input.locales ?? customer.preferred_locales ?? [],
    tax_exempt: input.taxExempt ?? customer.tax_exempt ?? "none",
    metadata: mergeMetadata(customer.metadata, input.metadata),
    invoice_settings: {
      ...customer.invoice_settings,
      footer: changed(input.invoices?.footer, customer.invoice_settings.footer),
      ...(method !== undefined && { default_payment_method: method === "" ? null : method }),
    },
  };
}

/** An empty value unsets the field, as for every text of Stripe's API. */
const changed = (given: string | undefined, existing: string | null): string | null =>
  given === undefined ? existing : given === "" ? null : given;

export function saveCustomer(tx: Transaction, before: Stripe.Customer, after: Stripe.Customer): Stripe.Customer {
  tx.store.put("customer", after);
  tx.record("customer.updated", after, differences(before, after));
  return after;
}

/** `previous_attributes` of an update: the old values of what changed. */
export function differences<T extends object>(before: T, after: T): Partial<T> {
  const previous: Partial<T> = {};
  for (const name in before) {
    if (JSON.stringify(before[name]) !== JSON.stringify(after[name])) previous[name] = before[name];
  }
  return previous;
}
