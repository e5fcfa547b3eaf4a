import { expect, test } from "vitest";
import { pendingUpdateMethods } from "#app/integrations/stripe/subscriptions/pending-updates.ts";
import { PENDING_UPDATE_METHODS } from "stripe-emulator/facts";

test("the product and the Stripe emulator have the same payment methods that support pending updates, and no bank debit", () => {
  expect(PENDING_UPDATE_METHODS).toEqual(pendingUpdateMethods);
  expect(pendingUpdateMethods).toEqual(expect.arrayContaining(["card", "link", "paypal", "amazon_pay"]));
  expect(pendingUpdateMethods.filter((method) => /debit|bank|transfer/.test(method))).toEqual([]);
});
