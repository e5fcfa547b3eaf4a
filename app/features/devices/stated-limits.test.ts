import { expect, test } from "vitest";
import { formatSpan } from "#app/core/time/time.ts";
import { entitlementLifeMs } from "#app/modules/billing/entitlements/entitlement.rules.ts";
import { usageRetentionMs } from "#app/modules/billing/usage/rules.ts";
import { devicesFeatureMessages } from "./feature.messages.ts";
import { devicesMessages } from "./page/messages.ts";

test("texts name the times that the code has", () => {
  expect(devicesMessages.en.devices.removeText("a")).toContain(formatSpan(entitlementLifeMs));
  expect(devicesFeatureMessages.en.ofAccount.join()).toContain(formatSpan(usageRetentionMs));
});
