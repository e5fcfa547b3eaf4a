import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { minorDigits } from "#app/core/money/minor-digits.ts";
import { csvHead, csvLine } from "./csv.rules.ts";
import { sampleOrder } from "#tests/support/billing/sample-order.ts";

/** A parser of RFC 4180 that shares no code with the writer. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (isQuoted && letter === '"' && text[at + 1] === '"') cell += text[(at += 1)];
    else if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && letter === ",") {
      rows.at(-1)?.push(cell);
      cell = "";
    } else if (!isQuoted && letter === "\r" && text[at + 1] === "\n") {
      rows.at(-1)?.push(cell);
      cell = "";
      rows.push([]);
      at += 1;
    } else cell += letter;
  }
  return rows.slice(0, -1);
}

function read(order: Parameters<typeof csvLine>[0], planName = "Small"): Record<string, string> {
  const text = csvHead() + csvLine(order, { planName, timeZone: "Europe/Berlin" });
  const [names = [], cells = [], ...more] = readCsv(text.slice(1));
  expect(more).toEqual([]);
  expect(cells).toHaveLength(names.length);
  return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]));
}

describe("orders as a file for spreadsheets", () => {
  test("begin with a byte order mark and the column names, and end each line as RFC 4180 requires", () => {
    expect(csvHead()).toBe(
      "\uFEFFnumber,date,kind,plan,interval,state,dispute,currency,amount,amount_minor,tax,tax_minor,discount,discount_minor,credit_used,credit_used_minor,refunded,refunded_minor,created_at,paid_at,order\r\n",
    );
  });

  test("contain days by the seller's calendar and instants in ISO 8601", () => {
    const paidAt = Date.UTC(2026, 11, 31, 23, 30);
    const order = sampleOrder({ paidAt, createdAt: paidAt - 60_000, numberYear: 2027, numberInYear: 1 });
    expect(read(order)).toMatchObject({
      number: "2027-000001",
      date: "2027-01-01",
      created_at: "2026-12-31T23:29:00.000Z",
      paid_at: "2026-12-31T23:30:00.000Z",
    });
    expect(read(sampleOrder({ paidAt: null, createdAt: paidAt, numberYear: null, numberInYear: null }))).toMatchObject({
      number: "",
      date: "2027-01-01",
      paid_at: "",
    });
  });

  test("contain amounts in the currency's unit, with its digits, and in its minor unit", () => {
    const amounts = { amountMinor: 1234, taxMinor: 5, discountMinor: 0, creditMinor: 100, refundedMinor: 1234 };
    const inCurrency = (currency: string) => {
      const row = read(sampleOrder({ ...amounts, currency }));
      return [row["amount"], row["tax"], row["discount"], row["credit_used"], row["refunded"], row["amount_minor"]];
    };
    expect(inCurrency("EUR")).toEqual(["12.34", "0.05", "0.00", "1.00", "12.34", "1234"]);
    expect(inCurrency("JPY")).toEqual(["1234", "5", "0", "100", "1234", "1234"]);
    expect(inCurrency("KWD")).toEqual(["1.234", "0.005", "0.000", "0.100", "1.234", "1234"]);
  });

  test("leave the tax empty where none is itemised", () => {
    expect(read(sampleOrder({ taxMinor: 0 }))).toMatchObject({ tax: "", tax_minor: "", refunded: "0.00" });
    expect(read(sampleOrder({ taxMinor: 96 }))).toMatchObject({ tax: "0.96", tax_minor: "96" });
  });

  test("are read back to the minor unit, for any amount and currency", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom("EUR", "JPY", "KWD"), (amountMinor, currency) => {
        const row = read(sampleOrder({ amountMinor, currency }));
        expect(BigInt((row["amount"] ?? "").replace(".", ""))).toBe(BigInt(amountMinor));
        expect(row["amount"]?.split(".")[1]?.length ?? 0).toBe(minorDigits(currency));
        expect(row["amount_minor"]).toBe(String(amountMinor));
        expect(row["currency"]).toBe(currency);
      }),
    );
  });

  test("preserve every text, except for what would be a formula", () => {
    const letters = fc.constantFrom('"', ",", "\r", "\n", " ", "=", "+", "-", "@", "\t", "＝", "a", "é", "'", ";");
    fc.assert(
      fc.property(fc.string({ unit: letters }), (planName) => {
        const { plan = "" } = read(sampleOrder({}), planName);
        expect(plan.replace(/^'(?=\s*[=+\-@＝]|[\t\r\n])/, "")).toBe(
          planName.replace(/^'(?=\s*[=+\-@＝]|[\t\r\n])/, ""),
        );
        expect(plan).not.toMatch(/^\s*[=+\-@＝]|^[\t\r\n]/);
      }),
    );
    for (const formula of ['=HYPERLINK("http://evil.example","x")', "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1"]) {
      expect(read(sampleOrder({}), formula)["plan"]).toBe(`'${formula}`);
    }
  });
});
