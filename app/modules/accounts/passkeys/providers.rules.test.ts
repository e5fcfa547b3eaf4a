import { expect, test } from "vitest";
import { nameProvider } from "./providers.rules.ts";

test("a provider is named by its authenticator's id, or omitted if that is unknown", () => {
  expect(nameProvider("FBFC3007-154e-4ecc-8c0b-6e020557d7bd")).toBe("Apple Passwords");
  expect(nameProvider("00000000-0000-0000-0000-000000000000")).toBe(null);
  expect(nameProvider("constructor")).toBe(null);
});
