/** The file of `npm run ops -- export`: a row for each movement, with decimal amounts, for spreadsheets and tax advisers. */
import { byteOrderMark, type Cell, type CsvFormat, writeCsvLine } from "#app/core/text/csv.ts";
import { toDecimal } from "#app/core/money/money.ts";
import type { Movement } from "#app/modules/documents/movements.rules.ts";

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

function sayTax({ name, percent, isReverseCharge }: Movement["taxes"][number]): string {
  const rate = percent === null ? "unknown rate" : `${percent}%`;
  return isReverseCharge ? "reverse charge" : [name ?? "tax", rate].join(" ");
}

export function writeMovements(movements: readonly Movement[], format: CsvFormat): string {
  const head = columns.map(([name]): Cell => ({ text: name }));
  const rows = movements.map((movement) => columns.map(([, write]) => write(movement)));
  return byteOrderMark + [head, ...rows].map((cells) => writeCsvLine(cells, format)).join("");
}
