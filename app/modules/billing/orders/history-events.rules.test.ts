import { expect, test } from "vitest";
import { type EmailTopic, occurrences } from "./history-events.rules.ts";

test.each([
  [1, ""],
  [2, "2"],
  [12, "12"],
])("try %i is stored as %j and read again", (tryNumber, occurrence) => {
  expect(occurrences.ofTry.write(tryNumber)).toBe(occurrence);
  expect(occurrences.ofTry.read(occurrence)).toBe(tryNumber);
});

test.each<[EmailTopic, string, object]>([
  [{ about: "paid" }, "paid", { about: "paid" }],
  [{ about: "paid", suffix: "resent-7" }, "paid.resent-7", { about: "paid" }],
  [{ about: "failed", suffix: 2 }, "failed.2", { about: "failed" }],
  [{ about: "needs-action", suffix: 1 }, "needs-action.1", { about: "needs-action" }],
  [{ about: "withdrawal", id: "wdr_1" }, "withdrawal.wdr_1", { about: "withdrawal" }],
  [{ about: "money-back", occurrence: "re_1" }, "re_1", { about: "money-back", occurrence: "re_1", outcome: null }],
  [
    { about: "money-back", occurrence: "dp_1", outcome: "lost" },
    "dp_1.lost",
    { about: "money-back", occurrence: "dp_1", outcome: "lost" },
  ],
])("an email about %o is stored as %s and read again", (topic, occurrence, read) => {
  expect(occurrences.ofEmail.write(topic)).toBe(occurrence);
  expect(occurrences.ofEmail.read(occurrence)).toEqual(read);
});
