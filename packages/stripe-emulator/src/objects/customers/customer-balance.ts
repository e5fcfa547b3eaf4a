import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { requireStep } from "../../money/currencies.ts";
import { newId } from "../../ids.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { route } from "../../http/routing.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { saveCustomer } from "./customers.ts";
import { demand } from "../demand.ts";

/** A change of what a customer owes or is owed. Negative amounts are credit. */
interface BalanceChange {
  amount: number;
  currency: string;
  type: Stripe.CustomerBalanceTransaction.Type;
  description?: string | null;
  invoice?: string | null;
  checkoutSession?: string;
  creditNote?: string;
  metadata?: Record<string, string>;
}

export const customerBalanceRoutes = [
  route(
    "POST",
    "/v1/customers/:id/balance_transactions",
    (form) => ({
      amount: form.requiredInteger("amount"),
      currency: form.requiredText("currency").toLowerCase(),
      description: form.text("description") ?? null,
      metadata: form.metadata() ?? {},
    }),
    (tx, input, id = "") => {
      requireStep(input.amount, input.currency, "amount");
      return changeBalance(tx, demand(tx, "customer", id), { ...input, type: "adjustment" });
    },
  ),
  route(
    "GET",
    "/v1/customers/:id/balance_transactions",
    (form) => ({ page: readPage(form), invoice: form.text("invoice"), created: form.range("created") }),
    (tx, { page, invoice, created }, id = "") =>
      paginate(
        `/v1/customers/${id}/balance_transactions`,
        page,
        only(
          tx.store.newestFirst("customer_balance_transaction", demand(tx, "customer", id).id),
          (transaction) => (invoice === undefined || transaction.invoice === invoice) && created(transaction.created),
        ),
      ),
  ),
  route(
    "GET",
    "/v1/customers/:id/balance_transactions/:transaction",
    () => undefined,
    (tx, _, id = "", transaction = "") => {
      demand(tx, "customer", id);
      return demand(tx, "customer_balance_transaction", transaction);
    },
  ),
];

export function changeBalance(
  tx: Transaction,
  customer: Stripe.Customer,
  change: BalanceChange,
): Stripe.CustomerBalanceTransaction {
  if (customer.currency != null && customer.currency !== change.currency) {
    throw invalid(
      `The customer's currency is ${customer.currency}; balance transactions in ${change.currency} are not possible.`,
      { param: "currency" },
    );
  }
  const transaction: Stripe.CustomerBalanceTransaction = {
    id: newId("cbtxn"),
    object: "customer_balance_transaction",
    amount: change.amount,
    checkout_session: change.checkoutSession ?? null,
    created: tx.clock.now(),
    credit_note: change.creditNote ?? null,
    currency: change.currency,
    customer: customer.id,
    customer_account: null,
    description: change.description ?? null,
    ending_balance: customer.balance + change.amount,
    invoice: change.invoice ?? null,
    livemode: false,
    metadata: change.metadata ?? {},
    type: change.type,
  };
  tx.store.put("customer_balance_transaction", transaction, customer.id);
  saveCustomer(tx, customer, { ...customer, balance: transaction.ending_balance, currency: change.currency });
  return transaction;
}
