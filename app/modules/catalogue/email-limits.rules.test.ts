import { expect, test } from "vitest";
import { checkEmailLimits, type EmailLimits, emailLimitsOf } from "./email-limits.rules.ts";

test("a config without limits has today's", () => {
  expect(emailLimitsOf({})).toEqual({ strangersPerHour: 5000 });
  expect(emailLimitsOf({ emailLimits: { strangersPerHour: 100 } })).toEqual({ strangersPerHour: 100 });
});

test.each<[EmailLimits, string[]]>([
  [{}, []],
  [{ strangersPerHour: 100_000 }, []],
  [{ servicePerHour: 5001 }, []],
  // All that the service takes.
  [{ servicePerHour: 5000 }, ["email-limits-leave-nothing"]],
  [{ servicePerHour: 100, strangersPerHour: 30 }, []],
  [{ strangersPerHour: 0 }, ["email-limit-malformed"]],
  [{ strangersPerHour: 12.5 }, ["email-limit-malformed"]],
  [{ servicePerHour: -1 }, ["email-limit-malformed"]],
])("the limits %j have the problems %j", (emailLimits, codes) => {
  expect(checkEmailLimits({ emailLimits }).map(({ code }) => code)).toEqual(codes);
});
