import { expect, test } from "vitest";
import { type EmailTopic, mailedCause, readMailedCause } from "./moments.rules.ts";

test.each<[EmailTopic, string, object]>([
  [{ about: "paid" }, "paid", { about: "paid" }],
  [{ about: "paid", suffix: "resent-7" }, "paid.resent-7", { about: "paid" }],
  [{ about: "failed", suffix: 2 }, "failed.2", { about: "failed" }],
  [{ about: "needs-action", suffix: 1 }, "needs-action.1", { about: "needs-action" }],
  [{ about: "withdrawal", id: "wdr_1" }, "withdrawal.wdr_1", { about: "withdrawal" }],
  [{ about: "money-back", cause: "re_1" }, "re_1", { about: "money-back", cause: "re_1", outcome: null }],
  [
    { about: "money-back", cause: "dp_1", outcome: "lost" },
    "dp_1.lost",
    { about: "money-back", cause: "dp_1", outcome: "lost" },
  ],
])("an email about %o is stored as %s and read again", (topic, cause, read) => {
  expect(mailedCause(topic)).toBe(cause);
  expect(readMailedCause(cause)).toEqual(read);
});
