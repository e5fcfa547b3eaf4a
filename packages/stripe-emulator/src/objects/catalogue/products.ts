import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { newId } from "../../ids.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid, missingParameter } from "../../http/stripe-errors.ts";
import { differences } from "../customers/customers.ts";
import { demand, idOf } from "../demand.ts";

type Input = ReturnType<typeof readProduct>;

export const productRoutes = [
  route("POST", "/v1/products", (form) => ({ id: form.text("id"), ...readProduct(form) }), createProduct),
  route(
    "GET",
    "/v1/products",
    (form) => ({
      page: readPage(form),
      active: form.flag("active"),
      ids: form.texts("ids"),
      created: form.range("created"),
    }),
    (tx, { page, active, ids, created }) =>
      paginate(
        "/v1/products",
        page,
        only(
          tx.store.newestFirst("product"),
          (product) =>
            (active === undefined || product.active === active) &&
            (ids === undefined || ids.includes(product.id)) &&
            created(product.created),
        ),
      ),
  ),
  route("GET", "/v1/products/:id", nothing, (tx, _, id = "") => demand(tx, "product", id)),
  route("POST", "/v1/products/:id", readProduct, updateProduct),
];

function readProduct(form: Form) {
  return {
    name: form.text("name"),
    active: form.flag("active"),
    description: form.text("description"),
    taxCode: form.text("tax_code"),
    unitLabel: form.text("unit_label"),
    statementDescriptor: readDescriptor(form),
    url: form.text("url"),
    metadata: form.metadata(),
  };
}

/** 5 to 22 characters, at least one letter. Source: https://docs.stripe.com/get-started/account/statement-descriptors */
function readDescriptor(form: Form): string | undefined {
  const text = form.text("statement_descriptor");
  if (text === undefined) return undefined;
  const isSound = text.length >= 5 && text.length <= 22 && /[a-z]/i.test(text) && !/[<>\\'"*]/.test(text);
  if (isSound) return text;
  throw invalid("The statement descriptor must have 5 to 22 characters, a letter, and none of < > \\ ' \" *.", {
    param: "statement_descriptor",
  });
}

function createProduct(tx: Transaction, { id, ...input }: Input & { id: string | undefined }): Stripe.Product {
  if (input.name === undefined || input.name === "") throw missingParameter("name");
  if (id !== undefined && tx.store.findAny(id) !== null)
    throw invalid(`Product already exists.`, { code: "resource_already_exists", param: "id" });
  const now = tx.clock.now();
  const product = withChanges(
    now,
    {
      id: id ?? newId("prod", 14),
      object: "product",
      active: true,
      created: now,
      default_price: null,
      description: null,
      images: [],
      livemode: false,
      marketing_features: [],
      metadata: {},
      name: input.name,
      package_dimensions: null,
      shippable: null,
      statement_descriptor: null,
      tax_code: null,
      tax_details: null,
      type: "service",
      unit_label: null,
      updated: now,
      url: null,
    },
    input,
  );
  tx.store.put("product", product);
  tx.record("product.created", product);
  return product;
}

function updateProduct(tx: Transaction, input: Input, id = ""): Stripe.Product {
  const before = demand(tx, "product", id);
  const after = withChanges(tx.clock.now(), before, input);
  tx.store.put("product", after);
  tx.record("product.updated", after, differences(before, after));
  return after;
}

const withChanges = (now: number, product: Stripe.Product, input: Input): Stripe.Product => ({
  ...product,
  active: input.active ?? product.active,
  description: input.description ?? product.description,
  metadata: mergeMetadata(product.metadata, input.metadata),
  name: input.name ?? product.name,
  statement_descriptor: input.statementDescriptor ?? product.statement_descriptor ?? null,
  tax_code: input.taxCode ?? product.tax_code ?? null,
  unit_label: input.unitLabel ?? product.unit_label ?? null,
  updated: now,
  url: input.url ?? product.url,
});

export const productName = (tx: Transaction, price: Stripe.Price): string =>
  tx.store.find("product", idOf(price.product))?.name ?? "Subscription";
