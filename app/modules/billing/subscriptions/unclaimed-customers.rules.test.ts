import { expect, test } from "vitest";
import { decideUnclaimed } from "./unclaimed-customers.rules.ts";

const customer = { email: "mara@example.com", isNamed: false, plans: ["small"] };
const account = { id: "acc_1", state: "active", hasCustomer: false } as const;

test("a customer with a plan goes to the account that has proven the address and has no customer", () => {
  expect(decideUnclaimed(customer, account)).toEqual({ kind: "adopted", accountId: "acc_1" });
});

test.each([
  ["nobody has signed up with the address", customer, null, "no-account", null],
  ["its account is erased", customer, { ...account, state: "erased" as const }, "no-account", null],
  ["its account is closed", customer, { ...account, state: "closed" as const }, "account-closed", "acc_1"],
  ["its account has a customer", customer, { ...account, hasCustomer: true }, "other-customer", "acc_1"],
  ["it pays for something else as well", { ...customer, plans: ["small", null] }, account, "other-shop", "acc_1"],
])("it is left to an operator if %s", (_, given, owner, reason, accountId) => {
  expect(decideUnclaimed(given, owner)).toEqual({ kind: "unclaimed", reason, planId: "small", accountId });
});

test.each([
  ["was deleted", null],
  ["names an account", { ...customer, isNamed: true }],
  ["has no plan of this site", { ...customer, plans: [null] }],
  ["has no plan any more", { ...customer, plans: [] }],
])("a customer who %s is nobody's business here", (_, given) => {
  expect(decideUnclaimed(given, account)).toEqual({ kind: "ignored" });
});
