import { expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { reauthenticationMs } from "#app/modules/accounts/rules.ts";
import { checkProof, type MoneyAction, moneyActions } from "./money-proof.rules.ts";

const now = Date.UTC(2026, 10, 20, 12);
const check = (action: MoneyAction, age: number) => checkProof(action, { provenAt: now - age }, now);
const proven: MoneyAction[] = ["change-charged-now", "open-portal"];
const stale = { reason: "proof-stale" };

test.each(proven)("%s needs a re-authentication of the last fifteen minutes, exact to the millisecond", (action) => {
  expect(check(action, 0)).toBeNull();
  expect(check(action, reauthenticationMs - 1)).toBeNull();
  expect(check(action, reauthenticationMs)).toEqual(stale);
  expect(check(action, 89 * dayMs)).toEqual(stale);
});

test("no other money action needs one, whatever the age of the session", () => {
  const actions = Object.keys(moneyActions) as MoneyAction[];
  expect(actions.filter((action) => check(action, 89 * dayMs) !== null).toSorted()).toEqual(proven);
});
