import { expect, test } from "vitest";
import type { EmailLimits } from "#app/modules/catalogue/email-limits.rules.ts";
import { checkWaitlist, waitlistPerMinuteMax, waitlistPerMinuteOf } from "./config.rules.ts";

test("a config without a limit has today's", () => {
  expect(waitlistPerMinuteOf({})).toBe(25);
  expect(waitlistPerMinuteOf({ emailLimits: { waitlistPerMinute: 100 } })).toBe(100);
});

test.each<[EmailLimits, string[]]>([
  [{}, []],
  [{ strangersPerHour: 100_000, waitlistPerMinute: waitlistPerMinuteMax }, []],
  [{ servicePerHour: 6501 }, []],
  // 5,000 and sixty times 25: all that the service takes.
  [{ servicePerHour: 6500 }, ["email-limits-leave-nothing"]],
  // The core says so.
  [{ servicePerHour: 5000 }, []],
  [{ servicePerHour: 100, strangersPerHour: 30, waitlistPerMinute: 1 }, []],
  [{ waitlistPerMinute: waitlistPerMinuteMax + 1 }, ["email-limit-too-high"]],
  [{ waitlistPerMinute: NaN }, ["email-limit-malformed"]],
])("the limits %j have the problems %j", (emailLimits, codes) => {
  expect(checkWaitlist({ emailLimits }).map(({ code }) => code)).toEqual(codes);
});
