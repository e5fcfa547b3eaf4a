import { expect, test } from "vitest";
import { checkEmailLimits, type EmailLimits, emailLimitsOf, waitlistPerMinuteMax } from "./email-limits.rules.ts";

test("a config without limits has today's", () => {
  expect(emailLimitsOf({})).toEqual({ strangersPerHour: 5000, waitlistPerMinute: 25 });
  expect(emailLimitsOf({ emailLimits: { waitlistPerMinute: 100 } })).toEqual({
    strangersPerHour: 5000,
    waitlistPerMinute: 100,
  });
});

test.each<[EmailLimits, string[]]>([
  [{}, []],
  [{ strangersPerHour: 100_000, waitlistPerMinute: waitlistPerMinuteMax }, []],
  [{ servicePerHour: 6501 }, []],
  // 5,000 and sixty times 25: all that the service takes.
  [{ servicePerHour: 6500 }, ["email-limits-leave-nothing"]],
  [{ servicePerHour: 100, strangersPerHour: 30, waitlistPerMinute: 1 }, []],
  [{ waitlistPerMinute: waitlistPerMinuteMax + 1 }, ["email-limit-too-high"]],
  [{ strangersPerHour: 0 }, ["email-limit-malformed"]],
  [{ strangersPerHour: 12.5, waitlistPerMinute: NaN }, ["email-limit-malformed", "email-limit-malformed"]],
  [{ servicePerHour: -1 }, ["email-limit-malformed"]],
])("the limits %j have the problems %j", (emailLimits, codes) => {
  expect(checkEmailLimits({ emailLimits }).map(({ code }) => code)).toEqual(codes);
});
