import type Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { findBlocker, pendingUpdateMethods } from "./pending-updates.ts";

type Paid = {
  own?: string;
  customers?: string;
  collection_method?: string;
  status?: string;
  invoice?: { status: string; billing_reason?: string } | null;
  pending_update?: object | null;
};

/** The fields of a subscription that are checked. */
function paid({ own, customers, invoice = { status: "paid" }, ...others }: Paid): Stripe.Subscription {
  const method = (type: string | undefined) => (type === undefined ? null : { id: "pm_1", type });
  const customer = { id: "cus_1", invoice_settings: { default_payment_method: method(customers) } };
  const latest_invoice = invoice && { billing_reason: "subscription_cycle", ...invoice };
  return {
    collection_method: "charge_automatically",
    status: "active",
    pending_update: null,
    ...others,
    customer,
    default_payment_method: method(own),
    latest_invoice,
  } as unknown as Stripe.Subscription;
}

describe("a change of plan that waits for its payment", () => {
  test.each(pendingUpdateMethods)("is possible with %s", (type) => {
    expect(findBlocker(paid({ own: type }))).toBeNull();
  });

  test.each(["sepa_debit", "bacs_debit", "us_bank_account", "au_becs_debit", "acss_debit", "customer_balance"])(
    "is not possible with %s",
    (type) => {
      expect(findBlocker(paid({ own: type }))).toBe("payment-method");
      expect(findBlocker(paid({ customers: type }))).toBe("payment-method");
    },
  );

  test("uses the plan's own payment method before the customer's, and needs one of the two", () => {
    expect(findBlocker(paid({ own: "card", customers: "sepa_debit" }))).toBeNull();
    expect(findBlocker(paid({ own: "sepa_debit", customers: "card" }))).toBe("payment-method");
    expect(findBlocker(paid({}))).toBeNull();
  });

  test("is not possible if the team sends invoices", () => {
    expect(findBlocker(paid({ own: "card", collection_method: "send_invoice" }))).toBe("collection-method");
  });

  test.each([
    ["draft", "renewal-unpaid"],
    ["open", "renewal-unpaid"],
    ["paid", null],
    ["void", null],
    ["uncollectible", null],
  ])("of a plan whose latest invoice is %s: %s", (status, blocker) => {
    expect(findBlocker(paid({ own: "card", invoice: { status } }))).toBe(blocker);
    expect(findBlocker(paid({ own: "sepa_debit", invoice: { status } }))).toBe(blocker ?? "payment-method");
  });

  test("doesn't wait for an invoice of another change, or for one that the team created", () => {
    const invoice = { status: "open", billing_reason: "subscription_update" };
    expect(findBlocker(paid({ own: "card", invoice }))).toBe("renewal-unpaid");
    expect(findBlocker(paid({ own: "card", invoice, pending_update: {} }))).toBeNull();
    expect(findBlocker(paid({ own: "card", invoice: { status: "open", billing_reason: "manual" } }))).toBeNull();
    expect(findBlocker(paid({ own: "card", invoice: null }))).toBeNull();
  });

  test.each(["past_due", "unpaid"])("is refused while the plan is %s, whichever invoice is the latest", (status) => {
    for (const invoice of [{ status: "open" }, { status: "paid" }]) {
      expect(findBlocker(paid({ own: "card", status, invoice }))).toBe("payment-due");
      expect(findBlocker(paid({ status, invoice, collection_method: "send_invoice" }))).toBe("payment-due");
    }
  });
});
