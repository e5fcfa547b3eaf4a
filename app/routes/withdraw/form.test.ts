import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { prefillOrder } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { withdrawalForm } from "./form.ts";

describe("the form", () => {
  const whole = { name: "Mara Example", order: "2026-000041", email: "mara@example.com", intent: "declare" };
  const problemsOf = (fields: object) =>
    v.safeParse(withdrawalForm, { ...whole, ...fields }).issues?.map((issue) => issue.message) ?? [];

  test("accepts people's real names, and any text for an order", () => {
    for (const name of [
      "Mara",
      "J. R. R. Tolkien",
      "O’Brien-Łukasz",
      "李小龙",
      "Ада (Lovelace)",
      "Müller & Söhne, 3",
      "J. R. R. Tolkien Jr.",
    ]) {
      expect(problemsOf({ name })).toEqual([]);
    }
    for (const order of ["#2026-000041", "ord_0123456789abcdefghjkmnpqrs", "the yearly plan"]) {
      expect(problemsOf({ order })).toEqual([]);
    }
  });

  test.each(["\u3164", "\u3164 \u115F"])("refuses %j, which is made of letters that show nothing", (evil) => {
    expect(problemsOf({ name: evil, order: evil })).toEqual(["name-malformed", "order-malformed"]);
  });

  test.each(["\r\n", "\n", "\r", "\u0000", "\u0085", "\u2028", "\u2029", "\u202e", "<b>", "http://x.example"])(
    "refuses %j, in the middle of a name or of an order",
    (evil) => {
      expect(problemsOf({ name: `Mara${evil}Bcc` })).toEqual(["name-malformed"]);
      expect(problemsOf({ order: `2026${evil}000041` })).toEqual(["order-malformed"]);
      expect(problemsOf({ email: `mara${evil}@example.com` })).toEqual(["email-malformed"]);
      expect(prefillOrder(`2026${evil}000041`)).toBe("");
    },
  );

  test.each([".com", ".1", ".\u0301", "x.co"])("refuses %j, which mail programs turn into a link", (link) => {
    expect(problemsOf({ name: `Mara${link}` })).toEqual(["name-malformed"]);
    expect(problemsOf({ order: `2026${link}` })).toEqual(["order-malformed"]);
    expect(prefillOrder(`2026${link}`)).toBe("");
  });

  test("refuses empty and overlong fields", () => {
    expect(problemsOf({ name: "  " })).toContain("name-missing");
    expect(problemsOf({ order: "" })).toContain("order-missing");
    expect(problemsOf({ name: "m".repeat(81) })).toEqual(["name-too-long"]);
    expect(problemsOf({ order: "1".repeat(61) })).toEqual(["order-malformed"]);
    expect(problemsOf({ intent: "explode" })).toEqual(["intent-unknown"]);
    expect(prefillOrder("1".repeat(61))).toBe("");
    expect(prefillOrder("2026-000041")).toBe("2026-000041");
  });
});
