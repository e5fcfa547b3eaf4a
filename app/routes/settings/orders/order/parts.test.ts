import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { moneyLeft } from "#app/modules/billing/documents/rules.ts";
import { sampleCreditNote, sampleInvoice } from "#tests/support/billing/sample-document.ts";
import { DocumentCorrections } from "./parts.tsx";

/** The amounts of each list, in cents. */
function listsOf(props: Parameters<typeof DocumentCorrections>[0]): number[][] {
  const html = renderToStaticMarkup(createElement(DocumentCorrections, props));
  return html.split("</dl>").flatMap((list) => {
    const amounts = [...list.matchAll(/(−?)€(\d+)\.(\d\d)/g)];
    return amounts.length === 0
      ? []
      : [amounts.map(([, sign, whole, part]) => Number(`${sign && "-"}${whole}${part}`))];
  });
}

const invoice = sampleInvoice({ moneyMinor: 100, steps: [{ what: "credit", amountMinor: -500 }] });
const reader = { locale: "en", timeZone: "UTC" };
const refund = sampleCreditNote({ totalMinor: 100, moneyMinor: 100 });
const credit = sampleCreditNote({ cause: "credit", reason: "credit", totalMinor: 500, moneyMinor: 0 });
const back = sampleCreditNote({
  cause: "re_1.returned",
  reason: "refund-returned",
  totalMinor: -100,
  moneyMinor: -100,
});
/** 8.00 went back of an invoice of 6.00, to which 2.00 had been carried. */
const carried = sampleCreditNote({ totalMinor: 600, moneyMinor: 800 });

test.each([
  ["a refund that came back, and credit", invoice, [refund, credit, back], [[-100, 100, 100], [500]]],
  ["a refund of carried money as well", sampleInvoice({ moneyMinor: 800 }), [carried], [[-800, 0]]],
  ["credit alone", sampleInvoice({ moneyMinor: 0 }), [credit], [[500]]],
  ["nothing", invoice, [], []],
])("what went back adds up to what is left: %s", (_, paid, creditNotes, lists) => {
  const [money = []] = listsOf({ invoice: paid, creditNotes, reader });
  expect(listsOf({ invoice: paid, creditNotes, reader })).toEqual(lists);
  const isMoney = creditNotes.some(({ moneyMinor }) => moneyMinor !== 0);
  if (!isMoney) return;
  expect(money.slice(0, -1).reduce((sum, amount) => sum + amount, paid.moneyMinor)).toBe(money.at(-1));
  expect(money.at(-1)).toBe(moneyLeft(paid, creditNotes));
});
