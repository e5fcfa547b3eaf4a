import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { minorDigits } from "#app/core/money/minor-digits.ts";
import type { CsvFormat } from "#app/core/text/csv.ts";
import { readCsvFormat } from "./browse.rules.ts";
import { csvHead, csvLine, type CsvOrder } from "./csv.rules.ts";
import { sampleCreditNote, sampleInvoice } from "#tests/support/billing/sample-document.ts";
import { sampleOrder } from "#tests/support/billing/sample-order.ts";

/** A parser of RFC 4180 that shares no code with the writer. */
function readCsv(text: string, separator = ","): string[][] {
  const rows: string[][] = [[]];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (isQuoted && letter === '"' && text[at + 1] === '"') cell += text[(at += 1)];
    else if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && letter === separator) {
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

type Issued = { invoice?: CsvOrder["invoice"]; creditNotes?: CsvOrder["creditNotes"] };
type Marks = { lostMinor?: number; isWithdrawn?: boolean };

function rowOf(order: ReturnType<typeof sampleOrder> & Marks, { invoice = null, creditNotes = [] }: Issued): CsvOrder {
  return { order: { lostMinor: 0, isWithdrawn: false, ...order }, invoice, creditNotes };
}

function read(
  order: ReturnType<typeof sampleOrder> & Marks,
  { planName = "Small", format = "comma", ...issued }: Issued & { planName?: string; format?: CsvFormat } = {},
): Record<string, string> {
  const text = csvHead(format) + csvLine(rowOf(order, issued), { planName, timeZone: "Europe/Berlin" }, format);
  const [names = [], cells = [], ...more] = readCsv(text.slice(1), format === "comma" ? "," : ";");
  expect(more).toEqual([]);
  expect(cells).toHaveLength(names.length);
  return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]));
}

describe("orders as a file for spreadsheets", () => {
  test("begin with a byte order mark and the column names, and end each line as RFC 4180 requires", () => {
    expect(csvHead("comma")).toBe(
      "\uFEFFnumber,date,kind,plan,interval,state,dispute,currency,amount,amount_minor,tax,tax_minor,discount,discount_minor,credit_used,credit_used_minor,refunded,refunded_minor,returned_by_bank,returned_by_bank_minor,left,left_minor,net,net_minor,tax_rate,country,vat_id,credit_notes,refund_dates,return_dates,withdrawal,created_at,paid_at,order,credited,credited_minor,credited_net,credited_net_minor,credited_tax,credited_tax_minor,credit_note_dates,credit_note_reasons,credit_note_amounts,credit_note_nets,credit_note_taxes,credit_note_money,invoiced,invoiced_minor,carried_from,carried_from_minor,carried_to,carried_to_minor,exemption,period_start,period_end,billed_to,billing_address,payment_method\r\n",
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

  test("contain net, tax, rate and buyer of the invoice, and what a document without tax says", () => {
    const buyer = { name: null, address: [], country: "FR", vatIds: ["FR1", "DE2"], paidBy: null };
    expect(read(sampleOrder({}), { invoice: sampleInvoice({ buyer }) })).toMatchObject({
      net: "5.04",
      tax_rate: "19",
      tax: "0.96",
      country: "FR",
      vat_id: "FR1 DE2",
    });
    const untaxed = { taxes: [], netMinor: 600, taxMinor: 0 };
    const exempt = sampleInvoice({ ...untaxed, exemption: "No VAT" });
    expect(read(sampleOrder({}), { invoice: exempt })).toMatchObject({ net: "6.00", tax_rate: "", tax: "0.00" });
    expect(read(sampleOrder({}), { invoice: sampleInvoice(untaxed) })).toMatchObject({
      net: "",
      tax_rate: "",
      tax: "",
    });
    const reverse = { name: null, percent: null, amountMinor: 0, isReverseCharge: true };
    const owed = sampleInvoice({ ...untaxed, taxes: [reverse] });
    expect(read(sampleOrder({}), { invoice: owed })).toMatchObject({ net: "6.00", tax_rate: "reverse-charge" });
  });

  test("contain what went back, when, by which credit notes, and what is left", () => {
    const at = Date.UTC(2026, 11, 31, 23, 30);
    const creditNotes = [
      sampleCreditNote({ cause: "re_1", totalMinor: 100, issuedAt: at }),
      sampleCreditNote({ cause: "dp_1", reason: "dispute-lost", numberInYear: 2, totalMinor: 200, issuedAt: at }),
    ];
    const order = sampleOrder({ amountMinor: 600, refundedMinor: 100, dispute: "lost" });
    expect(read({ ...order, lostMinor: 200 }, { invoice: sampleInvoice({}), creditNotes })).toMatchObject({
      refunded: "1.00",
      returned_by_bank: "2.00",
      left: "3.00",
      credit_notes: "CN-2026-000001 CN-2026-000002",
      refund_dates: "2027-01-01",
      return_dates: "2027-01-01",
      withdrawal: "",
    });
    expect(read({ ...order, isWithdrawn: true })).toMatchObject({ withdrawal: "declared" });
  });

  test("contain each credit note's amounts, and the tax that a full refund took back", () => {
    const at = Date.UTC(2026, 11, 31, 23, 30);
    const half = { netMinor: 252, taxMinor: 48, totalMinor: 300, moneyMinor: 300, issuedAt: at };
    const back = { netMinor: -252, taxMinor: -48, totalMinor: -300, moneyMinor: -300, issuedAt: at + 86_400_000 };
    const creditNotes = [
      sampleCreditNote({ ...half, cause: "re_1" }),
      sampleCreditNote({ ...half, cause: "credit", reason: "credit", numberInYear: 2, moneyMinor: 0 }),
      sampleCreditNote({ ...back, cause: "re_1.returned", reason: "refund-returned", numberInYear: 3 }),
      sampleCreditNote({ ...half, cause: "re_2", numberInYear: 4 }),
    ];
    const row = read(sampleOrder({ amountMinor: 300, refundedMinor: 300 }), {
      invoice: sampleInvoice({}),
      creditNotes,
    });
    expect(row).toMatchObject({
      tax: "0.96",
      credited: "6.00",
      credited_net: "5.04",
      credited_tax: "0.96",
      credited_minor: "600",
      refund_dates: "2027-01-01 2027-01-01",
      credit_note_dates: "2027-01-01 2027-01-01 2027-01-02 2027-01-01",
      credit_note_reasons: "refund credit refund-returned refund",
      credit_note_amounts: "3.00 3.00 -3.00 3.00",
      credit_note_nets: "2.52 2.52 -2.52 2.52",
      credit_note_taxes: "0.48 0.48 -0.48 0.48",
      credit_note_money: "3.00 0.00 -3.00 3.00",
    });
    const inGermany = read(sampleOrder({}), { format: "semicolon", invoice: sampleInvoice({}), creditNotes });
    expect(inGermany["credit_note_amounts"]).toBe("3,00 3,00 -3,00 3,00");
    expect(read(sampleOrder({}), { invoice: sampleInvoice({}) })).toMatchObject({
      credited: "",
      credit_note_amounts: "",
    });
  });

  test("contain who paid how for which time, amounts carried over, and why there is no tax", () => {
    const buyer = {
      name: "Mara Silva",
      address: ["Quay 1", "10115 Berlin"],
      country: "DE",
      vatIds: [],
      paidBy: { method: "visa", last4: "4242" },
    };
    const invoice = sampleInvoice({
      buyer,
      taxes: [],
      ...{ netMinor: 600, taxMinor: 0, moneyMinor: 500, exemption: "§ 19 UStG" },
      steps: [
        { what: "carried-from", amountMinor: 100 },
        { what: "carried-to", amountMinor: -200 },
      ],
      periodStartsAt: Date.UTC(2026, 11, 31, 23, 30),
      periodEndsAt: Date.UTC(2027, 0, 31, 22, 30),
    });
    expect(read(sampleOrder({}), { invoice })).toMatchObject({
      invoiced: "6.00",
      carried_from: "1.00",
      carried_to_minor: "-200",
      exemption: "§ 19 UStG",
      period_start: "2027-01-01",
      period_end: "2027-01-31",
      billed_to: "Mara Silva",
      billing_address: "Quay 1, 10115 Berlin",
      payment_method: "Visa ••••\u00a04242",
    });
    expect(read(sampleOrder({}))).toMatchObject({
      invoiced: "",
      carried_from: "",
      period_start: "",
      payment_method: "",
    });
  });

  test("have semicolons and decimal commas in the other format, which suits the reader's numbers", () => {
    const order = sampleOrder({ amountMinor: 123_456, createdAt: 0 });
    const row = read(order, { format: "semicolon", planName: "a;b,c", invoice: sampleInvoice({}) });
    expect(row).toMatchObject({ amount: "1234,56", amount_minor: "123456", tax: "0,96", plan: "a;b,c" });
    expect(row["created_at"]).toBe("1970-01-01T00:00:00.000Z");
    const formatFor = (query: string, locale: string) => readCsvFormat(new URLSearchParams(query), locale);
    expect(["de-DE", "fr-FR", "sv-SE"].map((locale) => formatFor("", locale))).toEqual(Array(3).fill("semicolon"));
    expect(["en", "en-CA", "ja-JP"].map((locale) => formatFor("", locale))).toEqual(Array(3).fill("comma"));
    expect([formatFor("format=comma", "de-DE"), formatFor("format=x", "de-DE")]).toEqual(["comma", "semicolon"]);
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
        const { plan = "" } = read(sampleOrder({}), { planName });
        expect(plan.replace(/^'(?=\s*[=+\-@＝]|[\t\r\n])/, "")).toBe(
          planName.replace(/^'(?=\s*[=+\-@＝]|[\t\r\n])/, ""),
        );
        expect(plan).not.toMatch(/^\s*[=+\-@＝]|^[\t\r\n]/);
      }),
    );
    for (const formula of ['=HYPERLINK("http://evil.example","x")', "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1"]) {
      expect(read(sampleOrder({}), { planName: formula })["plan"]).toBe(`'${formula}`);
    }
  });
});
