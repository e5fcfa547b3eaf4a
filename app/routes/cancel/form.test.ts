import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { cancellationForm } from "./form.ts";

describe("the form", () => {
  const typed = { intent: "declare", kind: "ordinary", name: "Mara", order: "2026-000041", email: "mara@example.com" };
  const read = (changed: object) => v.safeParse(cancellationForm, { ...typed, ...changed });

  test("takes the contract's name as well as its number, and no day for the earliest one", () => {
    expect(read({})).toMatchObject({ success: true, output: { endsOn: "", cause: "" } });
    expect(read({ order: "The monthly plan", endsOn: "2028-02-29" }).success).toBe(true);
    for (const endsOn of ["2027-02-29", "tomorrow", "30.6.2027"]) expect(read({ endsOn }).success).toBe(false);
    expect(read({ kind: "at once" }).success).toBe(false);
  });

  test("takes names and contracts as they are typed, up to a length, but nothing that can't be seen", () => {
    for (const name of ["J.R. Smith", "Anna/Bernd Müller", "Mara + Tom", "<b>", "x".repeat(200)])
      expect(read({ name })).toMatchObject({ success: true, output: { name } });
    for (const order of [
      "No: 2026-000041",
      "Rechnungsnummer: 2026-000041",
      "The small plan/monthly",
      "The small plan, €6 a month",
      "2026\uFF0D000041",
    ])
      expect(read({ order })).toMatchObject({ success: true, output: { order } });
    for (const refused of ["", "  ", "\u3164", "\u200D", "x".repeat(201), "a\nb", "a\u0000b", "a\u202Eb"]) {
      expect(read({ name: refused }).success).toBe(false);
      expect(read({ order: refused }).success).toBe(false);
    }
  });

  test("takes no reason that shows nothing", () => {
    expect(read({ kind: "extraordinary", cause: "\u3164\n\u200D" }).success).toBe(false);
  });
});
