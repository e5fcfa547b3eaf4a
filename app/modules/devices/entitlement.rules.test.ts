import { expect, test } from "vitest";
import { entitlementTimes } from "./entitlement.rules.ts";

test("an entitlement is valid for a day and refreshed after an hour, both in whole seconds", () => {
  const now = Date.UTC(2026, 10, 20, 12, 0, 0, 999);
  const iat = Date.UTC(2026, 10, 20, 12) / 1000;
  expect(entitlementTimes(now)).toEqual({ iat, exp: iat + 86_400, refreshAt: iat + 3_600 });
});
