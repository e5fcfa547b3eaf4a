import type Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { judgePendingUpdate, pendingUpdateMethods } from "./pending-updates.ts";

type Paid = { own?: string; customers?: string; collection_method?: string };

/** As much of a subscription as is looked at. */
function paid({ own, customers, collection_method = "charge_automatically" }: Paid): Stripe.Subscription {
  const method = (type: string | undefined) => (type === undefined ? null : { id: "pm_1", type });
  const customer = { id: "cus_1", invoice_settings: { default_payment_method: method(customers) } };
  return { collection_method, customer, default_payment_method: method(own) } as unknown as Stripe.Subscription;
}

describe("a change of plan that waits for its payment", () => {
  test.each(pendingUpdateMethods)("is possible with %s", (type) => {
    expect(judgePendingUpdate(paid({ own: type }))).toBeNull();
  });

  test.each(["sepa_debit", "bacs_debit", "us_bank_account", "au_becs_debit", "acss_debit", "customer_balance"])(
    "is not with %s",
    (type) => {
      expect(judgePendingUpdate(paid({ own: type }))).toBe("payment-method");
      expect(judgePendingUpdate(paid({ customers: type }))).toBe("payment-method");
    },
  );

  test("goes by the plan's own payment method before the customer's, and by none where there is none", () => {
    expect(judgePendingUpdate(paid({ own: "card", customers: "sepa_debit" }))).toBeNull();
    expect(judgePendingUpdate(paid({ own: "sepa_debit", customers: "card" }))).toBe("payment-method");
    expect(judgePendingUpdate(paid({}))).toBeNull();
  });

  test("is not possible where the team sends invoices", () => {
    expect(judgePendingUpdate(paid({ own: "card", collection_method: "send_invoice" }))).toBe("collection-method");
  });
});
