import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { newId } from "../../ids.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid, missingObject, missingParameter } from "../../http/stripe-errors.ts";
import { countryOfTaxId, TAX_ID_TYPES, type TypedTaxId } from "../../money/read-tax-id.ts";
import { demand } from "../demand.ts";

export const taxIdRoutes = [
  route(
    "POST",
    "/v1/customers/:id/tax_ids",
    (form) => ({ type: form.oneOf("type", TAX_ID_TYPES), value: form.requiredText("value") }),
    (tx, { type, value }, id = "") => {
      if (type === undefined) throw missingParameter("type");
      return addTaxId(tx, demand(tx, "customer", id), { type, value });
    },
  ),
  route("GET", "/v1/customers/:id/tax_ids", readPage, (tx, page, id = "") =>
    paginate(`/v1/customers/${id}/tax_ids`, page, taxIdsOf(tx, demand(tx, "customer", id))),
  ),
  route("GET", "/v1/customers/:id/tax_ids/:tax", nothing, (tx, _, id = "", tax = "") => demandOf(tx, id, tax)),
  route("DELETE", "/v1/customers/:id/tax_ids/:tax", nothing, (tx, _, id = "", tax = "") =>
    removeTaxId(tx, demandOf(tx, id, tax)),
  ),
];

/** Newest first, as Stripe lists them. */
export const taxIdsOf = (tx: Transaction, customer: Stripe.Customer): Stripe.TaxId[] => [
  ...only(tx.store.newestFirst("tax_id", customer.id), (taxId) => taxId.customer === customer.id),
];

export function addTaxId(tx: Transaction, customer: Stripe.Customer, { type, value }: TypedTaxId): Stripe.TaxId {
  const country = countryOfTaxId(type, value);
  if (country === null) throw invalid(`Invalid value for ${type}.`, { code: "tax_id_invalid", param: "value" });
  const taxId: Stripe.TaxId = {
    id: newId("txi"),
    object: "tax_id",
    country,
    created: tx.clock.now(),
    customer: customer.id,
    customer_account: null,
    livemode: false,
    owner: { customer: customer.id, customer_account: null, type: "customer" },
    type,
    value,
    verification: { status: verificationOf(value), verified_address: null, verified_name: null },
  };
  tx.store.put("tax_id", taxId, customer.id);
  tx.record("customer.tax_id.created", taxId);
  return taxId;
}

export function removeTaxId(tx: Transaction, taxId: Stripe.TaxId): Stripe.DeletedTaxId {
  tx.store.remove(taxId.id);
  tx.record("customer.tax_id.deleted", taxId);
  return { id: taxId.id, object: "tax_id", deleted: true };
}

/** Stripe's own test numbers; any other is never verified here, and stays pending. */
function verificationOf(value: string): Stripe.TaxId.Verification.Status {
  if (value.includes("000000000")) return "verified";
  return value.includes("111111111") ? "unverified" : "pending";
}

function demandOf(tx: Transaction, customer: string, id: string): Stripe.TaxId {
  const taxId = demand(tx, "tax_id", id);
  if (taxId.customer !== demand(tx, "customer", customer).id) throw missingObject("tax_id", id);
  return taxId;
}
