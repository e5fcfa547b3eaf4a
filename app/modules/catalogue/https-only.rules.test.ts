import { expect, test } from "vitest";
import { strictTransport } from "./https-only.rules.ts";

test.each([
  ["host", "max-age=63072000"],
  ["subdomains", "max-age=63072000; includeSubDomains"],
  ["preload", "max-age=63072000; includeSubDomains; preload"],
] as const)("https only for %s", (httpsOnly, value) => {
  expect(strictTransport({ httpsOnly })).toBe(value);
});
