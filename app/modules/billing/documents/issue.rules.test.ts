import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amountStep, taxStep } from "#app/core/money/round-amount.ts";
import type { TaxSetting } from "#app/modules/catalogue/rules.ts";
import {
  type Correction,
  correctionsOf,
  type IssuedNote,
  type PaidFacts,
  writeCreditNotes,
  writeInvoice,
} from "./issue.rules.ts";
import type { DocumentAmounts, NewDocument } from "./rules.ts";

const seller = { name: "Gull Ltd", address: ["Quay 1"], vatId: null };
const vat = { rate: 19, name: "VAT" } as const;
const buyer = { name: "Mara", address: [], country: "DE", vatIds: [], paidBy: null };
const noon = Date.UTC(2026, 10, 20, 12);

function issuer(tax: TaxSetting) {
  return { seller, timeZone: "Europe/Berlin", tax };
}

function paid(amountMinor: number, facts: Partial<PaidFacts> = {}): PaidFacts {
  const period = { periodStartsAt: noon, periodEndsAt: noon + 1 };
  const lines = [{ description: "Golden", quantity: 1, amountMinor, ...period }];
  return { currency: "EUR", amountMinor, discountMinor: 0, creditMinor: 0, taxes: null, paidAt: noon, lines, ...facts };
}

function refund(id: string, amountMinor: number, facts: Partial<Correction> = {}): Correction {
  return { cause: id, reason: "refund", amountMinor, returned: null, at: noon, ...facts };
}

/** As the database stores them: numbered in the order in which they were written. */
function stored(notes: readonly (DocumentAmounts & { cause: string })[]): IssuedNote[] {
  return notes.map((note, index) => ({ ...note, kind: "credit-note", numberYear: 2026, numberInYear: index + 1 }));
}

const sums = ({ netMinor, taxMinor, totalMinor }: DocumentAmounts) => [netMinor, taxMinor, totalMinor];

describe("an invoice", () => {
  test("states the config's rate, which prices include, rounded once", () => {
    const invoice = writeInvoice(issuer(vat), paid(600));
    expect(sums(invoice)).toEqual([504, 96, 600]);
    expect(invoice.taxes).toEqual([{ name: "VAT", percent: 19, amountMinor: 96, isReverseCharge: false }]);
  });

  test("has the tax to the smallest unit of its currency, whatever step its charges have", () => {
    expect(sums(writeInvoice(issuer(vat), paid(1340, { currency: "KWD" })))).toEqual([1126, 214, 1340]);
    expect(sums(writeInvoice(issuer(vat), paid(150_000, { currency: "ISK" })))).toEqual([126_100, 23_900, 150_000]);
    expect(sums(writeInvoice(issuer(vat), paid(1500, { currency: "JPY" })))).toEqual([1261, 239, 1500]);
  });

  test("of an exempt seller has the wording and no tax", () => {
    const invoice = writeInvoice(issuer({ exempt: "No VAT under the small business scheme" }), paid(600));
    expect([sums(invoice), invoice.taxes, invoice.exemption]).toEqual([
      [600, 0, 600],
      [],
      "No VAT under the small business scheme",
    ]);
  });

  test("with tax that Stripe charged has no wording of an exemption, and the config's exemption none of Stripe's tax", () => {
    const parts = [{ name: "VAT", percent: 20, amountMinor: 100, isReverseCharge: false }];
    const taxed = writeInvoice(issuer({ exempt: "No VAT" }), paid(600, { taxes: { netMinor: 500, parts } }));
    expect([sums(taxed), taxed.exemption]).toEqual([[500, 100, 600], null]);
  });

  test("has whole units of tax on each line, in a currency without smaller ones", () => {
    const line = { description: "Golden", quantity: 1, periodStartsAt: noon, periodEndsAt: noon + 1 };
    const lines = [-33_300, 150_000, 20_000].map((amountMinor) => ({ ...line, amountMinor }));
    const invoice = writeInvoice(issuer(vat), paid(136_700, { currency: "ISK", lines }));
    expect(invoice.lines.map(({ taxMinor }) => taxMinor)).toEqual([-5300, 23_900, 3200]);
  });

  test("has what Stripe charged, if it charged tax", () => {
    const parts = [{ name: "VAT", percent: 20, amountMinor: 100, isReverseCharge: false }];
    const taxes = { netMinor: 500, parts };
    expect(sums(writeInvoice(issuer("stripe"), paid(600, { taxes })))).toEqual([500, 100, 600]);
    expect(sums(writeInvoice(issuer("stripe"), paid(600)))).toEqual([600, 0, 600]);
  });

  test("lists a discount as a line, and credit below the total", () => {
    const invoice = writeInvoice(issuer(vat), paid(600, { discountMinor: 100, creditMinor: 200, amountMinor: 300 }));
    expect(invoice.lines.map(({ label, totalMinor }) => [label, totalMinor])).toEqual([
      ["Golden", 600],
      ["Discount", -100],
    ]);
    expect([invoice.totalMinor, invoice.steps, invoice.moneyMinor]).toEqual([
      500,
      [{ what: "credit", amountMinor: -200 }],
      300,
    ]);
  });
});

describe("a credit note", () => {
  const invoice = { ...writeInvoice(issuer(vat), paid(600)), buyer };

  test("has the invoice's rate, and several have its tax exactly", () => {
    const corrections = [refund("re_1", 100), refund("re_2", 100), refund("re_3", 400)];
    const notes = writeCreditNotes(issuer(vat), invoice, { notes: [], corrections, now: noon });
    expect(notes.map(sums)).toEqual([
      [84, 16, 100],
      [84, 16, 100],
      [336, 64, 400],
    ]);
    expect(notes.map(({ beforeMinor }) => beforeMinor)).toEqual([0, 100, 200]);
  });

  test("is written once per cause, after those that are stored", () => {
    const first = stored(
      writeCreditNotes(issuer(vat), invoice, { notes: [], corrections: [refund("re_1", 100)], now: noon }),
    );
    const corrections = [refund("re_1", 100), refund("re_2", 500)];
    const notes = writeCreditNotes(issuer(vat), invoice, { notes: first, corrections, now: noon });
    expect(notes.map(({ cause, beforeMinor, taxMinor }) => [cause, beforeMinor, taxMinor])).toEqual([
      ["re_2", 100, 80],
    ]);
  });

  test("is taken back if the bank returns the refund, and none is written for one that had come back before", () => {
    const first = stored(
      writeCreditNotes(issuer(vat), invoice, { notes: [], corrections: [refund("re_1", 100)], now: noon }),
    );
    const returned = [refund("re_1", 100, { returned: "refund-returned" })];
    const [back, ...others] = writeCreditNotes(issuer(vat), invoice, {
      notes: first,
      corrections: returned,
      now: noon,
    });
    expect(others).toEqual([]);
    expect(back).toMatchObject({
      reason: "refund-returned",
      takesBack: "CN-2026-000001",
      totalMinor: -100,
      taxMinor: -16,
    });
    const all = [...first, ...stored(back ? [back] : [])];
    expect(writeCreditNotes(issuer(vat), invoice, { notes: all, corrections: returned, now: noon })).toEqual([]);
    expect(writeCreditNotes(issuer(vat), invoice, { notes: [], corrections: returned, now: noon })).toEqual([]);
  });

  test("of a dispute that was lost is taken back if it is won on appeal, and stands while the bank decides again", () => {
    const charge = { refundedMinor: 0, refunds: [] };
    const dispute = { id: "dp_1", amountMinor: 600, createdAt: noon, dueAt: null };
    let notes: IssuedNote[] = [];
    const issued = (["under-review", "lost", "under-review", "won", "won"] as const).map((state) => {
      const corrections = correctionsOf([{ ...charge, disputes: [{ ...dispute, state }] }], {
        notes,
        creditReturnedMinor: 0,
      });
      const written = writeCreditNotes(issuer(vat), invoice, { notes, corrections, now: noon });
      for (const note of written) expectSound(note);
      notes = stored([...notes, ...written]);
      return written.map(({ reason, totalMinor, taxMinor, takesBack }) => [reason, totalMinor, taxMinor, takesBack]);
    });
    const [lost, back] = [
      ["dispute-lost", 600, 96, null],
      ["dispute-won", -600, -96, "CN-2026-000001"],
    ];
    expect(issued).toEqual([[], [lost], [], [back], []]);
  });

  test("of credit that is given back returns no money", () => {
    const bought = { ...writeInvoice(issuer(vat), paid(600, { creditMinor: 500, amountMinor: 100 })), buyer };
    const corrections = [refund("re_1", 100), refund("credit", 500, { reason: "credit", at: null })];
    const notes = writeCreditNotes(issuer(vat), bought, { notes: [], corrections, now: noon + 1 });
    expect(notes.map(({ totalMinor, moneyMinor, taxMinor }) => [totalMinor, moneyMinor, taxMinor])).toEqual([
      [100, 100, 16],
      [500, 0, 80],
    ]);
  });

  test("of credit that goes back in steps is written for each, once", () => {
    const bought = { ...writeInvoice(issuer(vat), paid(600, { creditMinor: 500, amountMinor: 100 })), buyer };
    let notes: IssuedNote[] = [];
    const issued = [200, 200, 500, 500].map((creditReturnedMinor) => {
      const corrections = correctionsOf([], { notes, creditReturnedMinor });
      const written = writeCreditNotes(issuer(vat), bought, { notes, corrections, now: noon });
      notes = stored([...notes, ...written]);
      return written.map(({ totalMinor, taxMinor, moneyMinor }) => [totalMinor, taxMinor, moneyMinor]);
    });
    expect(issued).toEqual([[[200, 32, 0]], [], [[300, 48, 0]], []]);
  });

  test("of a part has the tax to the smallest unit of its currency, and halves are rounded as on the invoice", () => {
    const taxOf = (currency: string, ofSale: number, ofPart: number) => {
      const own = { ...writeInvoice(issuer({ rate: 20, name: "VAT" }), paid(ofSale, { currency })), buyer };
      const facts = { notes: [], corrections: [refund("re_1", ofPart)], now: noon };
      return writeCreditNotes(issuer(vat), own, facts).map(({ taxMinor }) => taxMinor);
    };
    expect(taxOf("KWD", 5000, 30)).toEqual([5]);
    expect(taxOf("ISK", 150_000, 40_000)).toEqual([6700]);
    expect(taxOf("EUR", 600, 33)).toEqual([6]);
  });

  test("has the wording of its invoice's exemption, whatever the config says by now", () => {
    const exempt = { ...writeInvoice(issuer({ exempt: "No VAT" }), paid(600)), buyer };
    const notes = writeCreditNotes(issuer(vat), exempt, { notes: [], corrections: [refund("re_1", 100)], now: noon });
    expect(notes).toMatchObject([{ exemption: "No VAT", taxes: [], taxMinor: 0 }]);
  });

  test("of more than is left says so, and nothing of it is carried over", () => {
    const corrections = [refund("re_1", 300), { ...refund("dp_1", 600), reason: "dispute-lost" as const }];
    const [first, second] = writeCreditNotes(issuer(vat), invoice, {
      notes: [],
      corrections: corrections.map((each, at) => ({ ...each, at })),
      now: noon,
    });
    expect([first?.steps, first?.totalMinor]).toEqual([[], 300]);
    expect(second).toMatchObject({ totalMinor: 300, taxMinor: 48, moneyMinor: 600 });
    expect(second?.steps).toEqual([{ what: "excess", amountMinor: 300 }]);
  });

  test("that took nothing off because all had gone back does so once the bank returns that", () => {
    let notes: IssuedNote[] = [];
    const corrections: Correction[] = [];
    const issue = () => {
      const written = writeCreditNotes(issuer(vat), invoice, { notes, corrections, now: noon });
      for (const note of written) expectSound(note);
      notes = stored([...notes, ...written]);
    };
    corrections.push(refund("re_1", 600));
    issue();
    corrections.push({ ...refund("dp_1", 600), reason: "dispute-lost" });
    issue();
    corrections[0] = refund("re_1", 600, { returned: "refund-returned" });
    issue();
    const sum = (pick: (note: DocumentAmounts) => number) => notes.reduce((all, note) => all + pick(note), 0);
    expect(sum(({ totalMinor }) => totalMinor)).toBe(600);
    expect(sum(({ taxMinor }) => taxMinor)).toBe(96);
    expect(sum(({ moneyMinor }) => moneyMinor)).toBe(600);
    expect(notes.at(-1)).toMatchObject({
      totalMinor: 0,
      moneyMinor: -600,
      steps: [{ what: "excess", amountMinor: -600 }],
    });
  });

  test("doesn't exceed the invoice, if money went back that had been carried to it", () => {
    const carried = { ...writeInvoice(issuer(vat), { ...paid(600), amountMinor: 630 }), buyer };
    const [note] = writeCreditNotes(issuer(vat), carried, { notes: [], corrections: [refund("re_1", 630)], now: noon });
    expect(note).toMatchObject({ totalMinor: 600, taxMinor: 96, moneyMinor: 630 });
    expect(note?.steps).toEqual([{ what: "carried-from", amountMinor: 30 }]);
  });

  test("takes no more of what was carried to the invoice than the ones before have left", () => {
    const carried = { ...writeInvoice(issuer(vat), { ...paid(600), amountMinor: 630 }), buyer };
    const corrections = [refund("re_1", 615), refund("re_2", 20)].map((each, at) => ({ ...each, at }));
    const [, second] = writeCreditNotes(issuer(vat), carried, { notes: [], corrections, now: noon });
    expect(second?.steps).toEqual([
      { what: "carried-from", amountMinor: 15 },
      { what: "excess", amountMinor: 5 },
    ]);
  });
});

/** Sums of a document: lines, net and tax, and the step of a tax that we computed. */
function expectSound(document: NewDocument, step = 1) {
  const taxed = [...document.lines.map(({ taxMinor }) => taxMinor), ...document.taxes.map((tax) => tax.amountMinor)];
  for (const taxMinor of taxed) expect(Math.abs(taxMinor % step)).toBe(0);
  const sum = (pick: (line: NewDocument["lines"][number]) => number) =>
    document.lines.reduce((all, line) => all + pick(line), 0);
  expect(sum((line) => line.totalMinor)).toBe(document.totalMinor);
  expect(sum((line) => line.netMinor)).toBe(document.netMinor);
  expect(sum((line) => line.taxMinor)).toBe(document.taxMinor);
  expect(document.netMinor + document.taxMinor).toBe(document.totalMinor);
  for (const line of document.lines) expect(line.netMinor + line.taxMinor).toBe(line.totalMinor);
  expect(document.taxes.reduce((all, { amountMinor }) => all + amountMinor, 0)).toBe(document.taxMinor);
  expect(document.steps.reduce((all, { amountMinor }) => all + amountMinor, document.totalMinor)).toBe(
    document.moneyMinor,
  );
}

test("lines, net and tax add up, and credit notes never exceed their invoice, in total and by rate", () => {
  const currencies = fc.constantFrom("EUR", "JPY", "KWD", "ISK");
  const settings = fc.oneof(
    fc.record({ rate: fc.constantFrom(5, 7.7, 19, 20, 25), name: fc.constant("VAT") }),
    fc.constant({ exempt: "No VAT" }),
    fc.constant("stripe" as const),
  );
  const sales = fc.record({
    currency: currencies,
    tax: settings,
    amounts: fc.array(fc.integer({ min: -2000, max: 5000 }), { minLength: 1, maxLength: 4 }),
    discount: fc.nat({ max: 500 }),
    creditShare: fc.double({ min: 0, max: 1, noNaN: true }),
    stripeTaxes: fc.array(fc.constantFrom(3, 6, 19), { maxLength: 2 }),
    refunds: fc.array(fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), isReturned: fc.boolean() }), {
      maxLength: 6,
    }),
  });
  fc.assert(
    fc.property(sales, ({ currency, tax, amounts, discount, creditShare, stripeTaxes, refunds }) => {
      const step = amountStep(currency);
      const lines = amounts.map((amount, index) => ({
        description: `Line ${index}`,
        quantity: 1,
        amountMinor: amount * step,
        periodStartsAt: noon,
        periodEndsAt: noon + 1,
      }));
      const totalMinor = amounts.reduce((sum, amount) => sum + amount, -discount) * step;
      const creditMinor = Math.floor((Math.max(0, totalMinor) / step) * creditShare) * step;
      const parts = stripeTaxes.map((percent) => ({
        name: "Tax",
        percent,
        amountMinor: Math.round((Math.max(0, totalMinor) * percent) / (100 + percent) / 4),
        isReverseCharge: false,
      }));
      const taxes = tax === "stripe" && parts.length > 0 ? { netMinor: 0, parts } : null;
      const facts = { currency, creditMinor, discountMinor: discount * step, lines, taxes, paidAt: noon };
      const amountMinor = Math.max(0, totalMinor - creditMinor);
      const invoice = { ...writeInvoice(issuer(tax), { ...facts, amountMinor }), buyer };
      const ownStep = tax === "stripe" ? 1 : taxStep(currency);
      expectSound(invoice, ownStep);
      // One after the other, as syncs find them; the bank returns some of them later.
      let notes: IssuedNote[] = [];
      let leftMinor = amountMinor;
      const corrections: Correction[] = [];
      const issue = () => {
        const written = writeCreditNotes(issuer(tax), invoice, { notes, corrections, now: noon });
        for (const note of written) expectSound(note, ownStep);
        notes = stored([...notes, ...written]);
      };
      for (const [index, { share, isReturned }] of refunds.entries()) {
        const refunded = Math.floor((leftMinor / step) * share) * step;
        corrections.push(refund(`re_${index}`, refunded, { at: noon + index }));
        issue();
        if (isReturned)
          corrections[index] = {
            ...refund(`re_${index}`, refunded, { at: noon + index }),
            returned: "refund-returned",
          };
        else leftMinor -= refunded;
        issue();
      }
      const total = (pick: (note: DocumentAmounts) => number) => notes.reduce((sum, note) => sum + pick(note), 0);
      expect(total((note) => note.totalMinor)).toBe(amountMinor - leftMinor);
      expect(total((note) => note.totalMinor)).toBeLessThanOrEqual(Math.max(0, invoice.totalMinor));
      for (const [index, { amountMinor: taxMinor }] of invoice.taxes.entries()) {
        const noted = total((note) => note.taxes[index]?.amountMinor ?? 0);
        expect(Math.abs(noted)).toBeLessThanOrEqual(Math.abs(taxMinor));
      }
      if (leftMinor === 0 && creditMinor === 0 && invoice.totalMinor > 0) {
        expect(total((note) => note.taxMinor)).toBe(invoice.taxMinor);
      }
    }),
    { numRuns: 1000 },
  );
});

test("credit notes add up to what went back of an invoice, up to its total, in whichever order it goes back and returns", () => {
  const taxed = fc.constantFrom<TaxSetting>(
    { rate: 19, name: "VAT" },
    { rate: 7.7, name: "VAT" },
    { exempt: "No VAT" },
  );
  const gone = fc.record({
    amountMinor: fc.integer({ min: 1, max: 700 }),
    reason: fc.constantFrom("refund" as const, "dispute-lost" as const, "credit" as const),
    returnsAfter: fc.option(fc.nat({ max: 4 })),
  });
  const sales = fc.record({ tax: taxed, creditMinor: fc.nat({ max: 600 }), gone: fc.array(gone, { maxLength: 5 }) });
  fc.assert(
    fc.property(sales, ({ tax, creditMinor, gone: parts }) => {
      const bought = paid(600, { creditMinor, amountMinor: 600 - creditMinor });
      const invoice = { ...writeInvoice(issuer(tax), bought), buyer };
      let notes: IssuedNote[] = [];
      for (let round = 0; round < parts.length + 5; round += 1) {
        const seen = parts.slice(0, round + 1).map((part, index): Correction => {
          const { amountMinor, reason, returnsAfter } = part;
          const isBack = reason !== "credit" && returnsAfter !== null && round > index + returnsAfter;
          const returned = reason === "dispute-lost" ? ("dispute-won" as const) : ("refund-returned" as const);
          return { cause: `re_${index}`, reason, amountMinor, returned: isBack ? returned : null, at: noon + index };
        });
        const written = writeCreditNotes(issuer(tax), invoice, { notes, corrections: seen, now: noon });
        for (const note of written) expectSound(note);
        notes = stored([...notes, ...written]);
        const standing = seen.filter(({ returned }) => returned === null);
        const sum = (amounts: { amountMinor: number }[]) => amounts.reduce((all, each) => all + each.amountMinor, 0);
        const total = (pick: (note: DocumentAmounts) => number) => notes.reduce((all, note) => all + pick(note), 0);
        expect(total((note) => note.totalMinor)).toBe(Math.min(600, sum(standing)));
        expect(total((note) => note.moneyMinor)).toBe(sum(standing.filter(({ reason }) => reason !== "credit")));
        if (sum(standing) >= 600) expect(total((note) => note.taxMinor)).toBe(invoice.taxMinor);
      }
    }),
    { numRuns: 500 },
  );
});
