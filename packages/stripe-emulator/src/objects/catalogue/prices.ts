import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { CURRENCIES, requireStep } from "../../money/currencies.ts";
import { decimalOnTheWire } from "../../money/decimal.ts";
import type { Form } from "../../http/form.ts";
import { newId } from "../../ids.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { differences } from "../customers/customers.ts";
import { demand, idOf, refer } from "../demand.ts";

const TAX_BEHAVIORS = ["exclusive", "inclusive", "unspecified"] as const;
const INTERVALS = ["day", "week", "month", "year"] as const;

export const priceRoutes = [
  route("POST", "/v1/prices", readNewPrice, createPrice),
  route("GET", "/v1/prices", readPriceQuery, listPrices),
  route("GET", "/v1/prices/:id", nothing, (tx, _, id = "") => demand(tx, "price", id)),
  route("POST", "/v1/prices/:id", readPriceChange, updatePrice),
];

function readNewPrice(form: Form) {
  return {
    ...readPriceChange(form),
    currency: form.requiredText("currency").toLowerCase(),
    product: form.requiredText("product"),
    unitAmount: form.requiredInteger("unit_amount"),
    recurring: form.group("recurring", (recurring) => ({
      interval: recurring.oneOf("interval", INTERVALS),
      count: recurring.integer("interval_count") ?? 1,
      usage: recurring.oneOf("usage_type", ["licensed"]),
    })),
  };
}

function readPriceChange(form: Form) {
  return {
    active: form.flag("active"),
    lookupKey: form.text("lookup_key"),
    transferLookupKey: form.flag("transfer_lookup_key") ?? false,
    nickname: form.text("nickname"),
    taxBehavior: form.oneOf("tax_behavior", TAX_BEHAVIORS),
    metadata: form.metadata(),
  };
}

function readPriceQuery(form: Form) {
  return {
    page: readPage(form),
    active: form.flag("active"),
    currency: form.text("currency"),
    product: form.text("product"),
    type: form.oneOf("type", ["one_time", "recurring"]),
    lookupKeys: readLookupKeys(form),
    interval: form.group("recurring", (recurring) => recurring.oneOf("interval", INTERVALS)),
    created: form.range("created"),
  };
}

/** Source: https://docs.stripe.com/api/prices/list#list_prices-lookup_keys */
const LOOKUP_KEYS_MAX = 10;

function readLookupKeys(form: Form): string[] | undefined {
  const keys = form.texts("lookup_keys");
  if (keys === undefined || keys.length <= LOOKUP_KEYS_MAX) return keys;
  throw invalid(
    `Array too long: lookup_keys can hold up to ${LOOKUP_KEYS_MAX} values, but you've sent ${keys.length}.`,
    {
      param: "lookup_keys",
    },
  );
}

function createPrice(tx: Transaction, input: ReturnType<typeof readNewPrice>): Stripe.Price {
  if (!CURRENCIES.includes(input.currency))
    throw invalid(
      `Invalid currency: ${input.currency}. Stripe currently supports these currencies: ${CURRENCIES.join(", ")}`,
      { param: "currency" },
    );
  requireStep(input.unitAmount, input.currency, "unit_amount");
  refer(tx, "product", input.product, "product");
  const { recurring } = input;
  if (recurring !== undefined && recurring.interval === undefined)
    throw invalid("Missing required param: recurring[interval].", {
      code: "parameter_missing",
      param: "recurring[interval]",
    });
  const price: Stripe.Price = {
    id: newId("price"),
    object: "price",
    active: input.active ?? true,
    billing_scheme: "per_unit",
    created: tx.clock.now(),
    currency: input.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: mergeMetadata({}, input.metadata),
    nickname: input.nickname ?? null,
    product: input.product,
    recurring:
      recurring?.interval === undefined
        ? null
        : {
            interval: recurring.interval,
            interval_count: recurring.count,
            meter: null,
            trial_period_days: null,
            usage_type: "licensed",
          },
    tax_behavior: input.taxBehavior ?? "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: recurring === undefined ? "one_time" : "recurring",
    unit_amount: input.unitAmount,
    unit_amount_decimal: decimalOnTheWire(input.unitAmount),
  };
  const keyed = { ...price, lookup_key: takeLookupKey(tx, price, input) };
  tx.store.put("price", keyed);
  tx.record("price.created", keyed);
  return keyed;
}

function updatePrice(tx: Transaction, input: ReturnType<typeof readPriceChange>, id = ""): Stripe.Price {
  const before = demand(tx, "price", id);
  const isFixed =
    before.tax_behavior !== "unspecified" &&
    input.taxBehavior !== undefined &&
    input.taxBehavior !== before.tax_behavior;
  if (isFixed)
    throw invalid("The tax behavior cannot be changed once specified as exclusive or inclusive.", {
      param: "tax_behavior",
    });
  const after: Stripe.Price = {
    ...before,
    active: input.active ?? before.active,
    lookup_key: input.lookupKey === undefined ? before.lookup_key : takeLookupKey(tx, before, input),
    metadata: mergeMetadata(before.metadata, input.metadata),
    nickname: input.nickname ?? before.nickname,
    tax_behavior: input.taxBehavior ?? before.tax_behavior,
  };
  return savePrice(tx, before, after);
}

/**
 * A subscription shows its price as it is now, not as it was at purchase: a price whose lookup key has been transferred
 * has none there either.
 */
function savePrice(tx: Transaction, before: Stripe.Price, after: Stripe.Price): Stripe.Price {
  tx.store.put("price", after);
  tx.record("price.updated", after, differences(before, after));
  for (const subscription of tx.store.newestFirst("subscription")) {
    if (!subscription.items.data.some((item) => item.price.id === after.id)) continue;
    const data = subscription.items.data.map((item) => (item.price.id === after.id ? { ...item, price: after } : item));
    tx.store.put("subscription", { ...subscription, items: { ...subscription.items, data } });
  }
  return after;
}

/** A lookup key names one price at a time. It is transferred only when the caller requests it. */
function takeLookupKey(tx: Transaction, price: Stripe.Price, input: ReturnType<typeof readPriceChange>): string | null {
  const { lookupKey } = input;
  if (lookupKey === undefined || lookupKey === "") return null;
  for (const holder of tx.store.newestFirst("price")) {
    if (holder.lookup_key !== lookupKey || holder.id === price.id) continue;
    if (!input.transferLookupKey)
      throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: "lookup_key" });
    savePrice(tx, holder, { ...holder, lookup_key: null });
  }
  return lookupKey;
}

function listPrices(tx: Transaction, query: ReturnType<typeof readPriceQuery>): object {
  const isWanted = (price: Stripe.Price): boolean =>
    (query.active === undefined || price.active === query.active) &&
    (query.currency === undefined || price.currency === query.currency.toLowerCase()) &&
    (query.product === undefined || idOf(price.product) === query.product) &&
    (query.type === undefined || price.type === query.type) &&
    (query.lookupKeys === undefined || (price.lookup_key !== null && query.lookupKeys.includes(price.lookup_key))) &&
    (query.interval === undefined || price.recurring?.interval === query.interval) &&
    query.created(price.created);
  return paginate("/v1/prices", query.page, only(tx.store.newestFirst("price"), isWanted));
}
