/**
 * Parses and writes the query of a list of orders: year, state and cursor. Invariant: a paid order's year is the one of its number, in
 * the seller's calendar; an unpaid order's is the year it was created. Called from the orders page and its CSV.
 */
import { type CsvFormat, csvFormats } from "#app/core/text/csv.ts";
import { readCursor, writeCursor } from "#app/core/cursor.ts";
import { type OrderId, readId } from "#app/core/id.ts";
import { dayOf, startOfDay } from "#app/core/time/calendar.ts";
import { numberFormat } from "#app/core/text/formats.ts";
import { fileNamePart } from "#app/core/text/file-name.ts";
import type { MarkedOrder } from "#app/modules/billing/orders/rules.ts";
import { type OrderState, orderStates } from "#app/modules/billing/orders/states.rules.ts";

/** What the list and its CSV show of an order. */
export type ListedOrder = Pick<
  MarkedOrder,
  | "id"
  | "state"
  | "dispute"
  | "kind"
  | "planId"
  | "interval"
  | "currency"
  | "amountMinor"
  | "taxMinor"
  | "discountMinor"
  | "creditMinor"
  | "refundedMinor"
  | "numberYear"
  | "numberInYear"
  | "createdAt"
  | "paidAt"
  | "isUnconfirmed"
  | "lostMinor"
  | "isWithdrawn"
>;

export type OrderFilter = { year: number | null; state: OrderState | null };

/** The format that was asked for, or that the reader's own numbers suggest. */
export function readCsvFormat(query: URLSearchParams, locale: string): CsvFormat {
  const wanted = csvFormats.find((format) => format === query.get("format"));
  if (wanted) return wanted;
  const parts = numberFormat(locale).formatToParts(1.5);
  return parts.some(({ type, value }) => type === "decimal" && value === ",") ? "semicolon" : "comma";
}
/** The sort keys of the list: a page of it starts after the order that has them. */
export type OrderCursor = readonly [createdAt: number, id: OrderId];
export type OrdersQuery = OrderFilter & { after: OrderCursor | null };

/** Separates the values of a cursor in URLs: `1763640000000.ord_…`. */
const separator = ".";

/** Unfinished attempts listed below the orders, newest first. */
export const attemptsShownMax = 10;

/** Reads a query that a user may have typed. Invalid values count as absent. */
export function readOrdersQuery(query: URLSearchParams): OrdersQuery {
  return {
    year: /^[12]\d{3}$/.test(query.get("year") ?? "") ? Number(query.get("year")) : null,
    state: orderStates.find((state) => state === query.get("state")) ?? null,
    after: readOrderCursor(query.get("after")),
  };
}

/** The same query with some of it changed: `?year=2026&state=paid&after=…`, or nothing. */
export function ordersQuery(input: OrdersQuery, changed: Partial<OrdersQuery> = {}): string {
  const { year, state, after } = { ...input, ...changed };
  const query = new URLSearchParams({
    ...(year !== null && { year: String(year) }),
    ...(state !== null && { state }),
    ...(after !== null && { after: writeCursor(after, separator) }),
  });
  return query.size > 0 ? `?${query}` : "";
}

function readOrderCursor(text: string | null): OrderCursor | null {
  const [createdAt, orderId] = readCursor(text ?? "", 2, separator) ?? [];
  const id = readId("ord", String(orderId));
  return typeof createdAt === "number" && id ? [createdAt, id] : null;
}

export function yearBounds(year: number, timeZone: string): { from: number; until: number } {
  const start = (of: number) => startOfDay({ year: of, month: 1, day: 1 }, timeZone);
  return { from: start(year), until: start(year + 1) };
}

/** A year of paid orders, or the first and last unpaid order of one UTC year. */
type OrderYears = { numberYear: number | null; firstAt: number; lastAt: number };

/** Years, newest first, and states by which an account's list can be filtered. */
export function facetsOf(states: { state: OrderState }[], groups: OrderYears[], timeZone: string) {
  // Time zones differ from UTC by less than a day, so the orders of a UTC year fall into two years at most: those of its first and last
  // order.
  const years = groups.flatMap(({ numberYear, firstAt, lastAt }) =>
    numberYear === null ? [dayOf(firstAt, timeZone).year, dayOf(lastAt, timeZone).year] : [numberYear],
  );
  return {
    years: [...new Set(years)].toSorted((left, right) => right - left),
    states: states.map(({ state }) => state),
  };
}

/** For example `gull-orders-2026-paid.csv`. */
export function csvFileName(productName: string, { year, state }: OrderFilter): string {
  return `${[fileNamePart(productName), "orders", year, state].filter((part) => part !== null).join("-")}.csv`;
}
