import { expect, test } from "vitest";
import { decideUnclaimed } from "./unclaimed-customers.rules.ts";

const customer = { email: "mara@example.com", isNamed: false, plans: ["small"] };
const account = { id: "acc_1", state: "active", hasCustomer: false } as const;
const unclaimed = (why: string) => ({ kind: "unclaimed", reason: why, planId: "small" });

test("a customer with a plan goes to the account that has proven the address and has no customer", () => {
  expect(decideUnclaimed(customer, account)).toEqual({ kind: "adopted", accountId: "acc_1" });
});

test.each([
  ["nobody has signed up with the address", customer, null, "no-account"],
  ["its account is erased", customer, { ...account, state: "erased" as const }, "no-account"],
  ["its account is closed", customer, { ...account, state: "closed" as const }, "account-closed"],
  ["its account has a customer", customer, { ...account, hasCustomer: true }, "other-customer"],
  ["it pays for something else as well", { ...customer, plans: ["small", null] }, account, "other-shop"],
])("it is left to an operator if %s", (_, given, owner, reason) => {
  expect(decideUnclaimed(given, owner)).toEqual(unclaimed(reason));
});

test.each([
  ["was deleted", null],
  ["names an account", { ...customer, isNamed: true }],
  ["has no plan of this site", { ...customer, plans: [null] }],
  ["has no plan any more", { ...customer, plans: [] }],
])("a customer who %s is nobody's business here", (_, given) => {
  expect(decideUnclaimed(given, account)).toEqual({ kind: "ignored" });
});
