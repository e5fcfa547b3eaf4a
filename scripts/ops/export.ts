/**
 * The file of `npm run ops -- export`: a row for each movement in the order of days and numbers, with decimal amounts, for spreadsheets and
 * tax advisers. The last columns are a pair for each tax of the year, the net that it applies to and its amount, so that a column's sum is
 * what is filed.
 */
import { byteOrderMark, type Cell, type CsvFormat, writeCsvLine } from "#app/core/text/csv.ts";
import { sumMinor, toDecimal } from "#app/core/money/money.ts";
import type { Movement } from "#app/modules/billing/documents/movements.rules.ts";

type Column = [name: string, write: (movement: Movement) => Cell];

const text = (value: string | null): Cell => ({ text: value ?? "" });
const amount = (amountMinor: number, { currency }: Movement): Cell => ({
  figures: toDecimal({ amountMinor, currency }),
});

const columns: Column[] = [
  ["date", ({ date }) => ({ figures: date })],
  ["what", ({ what }) => text(what)],
  ["number", ({ number }) => text(number)],
  ["corrects", ({ corrects }) => text(corrects)],
  ["order", ({ orderNumber }) => text(orderNumber)],
  ["plan", ({ planId }) => text(planId)],
  ["interval", ({ interval }) => text(interval)],
  ["country", ({ country }) => text(country)],
  ["vat_id", ({ vatIds }) => text(vatIds.join(" "))],
  ["currency", ({ currency }) => text(currency)],
  ["net", (movement) => amount(movement.netMinor, movement)],
  ["tax", (movement) => amount(movement.taxMinor, movement)],
  ["total", (movement) => amount(movement.totalMinor, movement)],
  ["money", (movement) => amount(movement.moneyMinor, movement)],
  ["taxes", ({ taxes }) => text(taxes.map(sayTax).join(", "))],
  ["exemption", ({ exemption }) => text(exemption)],
  ["stripe_number", ({ providerNumber }) => text(providerNumber)],
  ["stripe_id", ({ providerId }) => text(providerId)],
  ["order_id", ({ orderId }) => text(orderId)],
];

type Tax = Movement["taxes"][number];

function sayTax({ name, percent, isReverseCharge }: Tax): string {
  const rate = percent === null ? "unknown rate" : `${percent}%`;
  return isReverseCharge ? "reverse charge" : [name ?? "tax", rate].join(" ");
}

/** Two taxes of one sale both apply to all of it, so each has its whole net. */
function taxColumns(movements: readonly Movement[]): Column[] {
  const names = [...new Set(movements.flatMap(({ taxes }) => taxes.map(sayTax)))].toSorted();
  const none: Cell = { text: "" };
  return names.flatMap((name): Column[] => {
    const own = ({ taxes }: Movement) => taxes.filter((tax) => sayTax(tax) === name);
    const ifTaxed = (movement: Movement, amountMinor: number) =>
      own(movement).length === 0 ? none : amount(amountMinor, movement);
    return [
      [`net ${name}`, (movement) => ifTaxed(movement, movement.netMinor)],
      [`tax ${name}`, (movement) => ifTaxed(movement, sumMinor(own(movement)))],
    ];
  });
}

/** By day, then by number, invoices before credit notes. */
export function inNumberOrder(movements: readonly Movement[]): Movement[] {
  const keyOf = ({ date, number }: Movement) => `${date} ${number}`;
  return movements.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

export function writeMovements(movements: readonly Movement[], format: CsvFormat): string {
  const all = [...columns, ...taxColumns(movements)];
  const head = all.map(([name]): Cell => ({ text: name }));
  const rows = inNumberOrder(movements).map((movement) => all.map(([, write]) => write(movement)));
  return byteOrderMark + [head, ...rows].map((cells) => writeCsvLine(cells, format)).join("");
}
