import { expect, test } from "vitest";
import { nameLine } from "./line-name.rules.ts";

test.each([
  ["Unused time on Heron Small after 27 Nov 2026", 1, "Unused time on Heron Small"],
  ["Remaining time on Heron Large after 1 Dec 2026", 1, "Remaining time on Heron Large"],
  ["Unused time on Heron Small after 27 Nov 2026", null, "Unused time on Heron Small after 27 Nov 2026"],
  ["1 × Day after 27 Nov 2026 (monthly)", 1, "1 × Day after 27 Nov 2026 (monthly)"],
])("%s with a period from %s is called %s", (description, periodStartsAt, name) => {
  expect(nameLine({ description, periodStartsAt })).toBe(name);
});
