import { expect, test } from "vitest";
import { type EmailSubject, mailedCause, readMailedCause } from "./moments.rules.ts";

test.each<[EmailSubject, string, object]>([
  [{ about: "paid" }, "paid", { about: "paid" }],
  [{ about: "paid", nth: "resent-7" }, "paid.resent-7", { about: "paid" }],
  [{ about: "failed", nth: 2 }, "failed.2", { about: "failed" }],
  [{ about: "needs-action", nth: 1 }, "needs-action.1", { about: "needs-action" }],
  [{ about: "withdrawal", id: "wdr_1" }, "withdrawal.wdr_1", { about: "withdrawal" }],
  [{ about: "money-back", cause: "re_1" }, "re_1", { about: "money-back", cause: "re_1", outcome: null }],
  [
    { about: "money-back", cause: "dp_1", outcome: "lost" },
    "dp_1.lost",
    { about: "money-back", cause: "dp_1", outcome: "lost" },
  ],
])("an email about %o is stored as %s and read again", (subject, cause, read) => {
  expect(mailedCause(subject)).toBe(cause);
  expect(readMailedCause(cause)).toEqual(read);
});
