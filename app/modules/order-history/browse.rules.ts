/**
 * How a list of orders is asked for: which year, which state, from where on, and which one is open. The year is that of the
 * seller's calendar in which an order was paid, as its number says; of one that wasn't, the year in which it began.
 */
import { dayOf, startOfDay } from "#app/core/time/calendar.ts";
import { fileNamePart } from "#app/core/text/file-name.ts";
import { type OrderState, orderStates } from "#app/modules/orders/rules.ts";

export type OrderFilter = { year: number | null; state: OrderState | null };
/** Where a page of the list begins: after this one, which is newer than all on it. */
export type Cursor = { createdAt: number; id: string };
export type OrdersQuery = OrderFilter & { after: Cursor | null; orderId: string | null };

/** What somebody may type into the address: years, states and places that can't be count as absent. */
export function readOrdersQuery(query: URLSearchParams): OrdersQuery {
  return {
    year: /^[12]\d{3}$/.test(query.get("year") ?? "") ? Number(query.get("year")) : null,
    state: orderStates.find((state) => state === query.get("state")) ?? null,
    after: readCursor(query.get("after")),
    orderId: query.get("order"),
  };
}

/** `?year=2026&state=paid&after=…&order=…`, or nothing: the same wish, with some of it changed. */
export function ordersQuery(input: OrdersQuery, changed: Partial<OrdersQuery> = {}): string {
  const { year, state, after, orderId } = { ...input, ...changed };
  const query = new URLSearchParams({
    ...(year !== null && { year: String(year) }),
    ...(state !== null && { state }),
    ...(after !== null && { after: writeCursor(after) }),
    ...(orderId !== null && { order: orderId }),
  });
  return query.size > 0 ? `?${query}` : "";
}

function readCursor(text: string | null): Cursor | null {
  const parts = /^(\d{1,15})\.(ord_[a-z0-9]{1,40})$/.exec(text ?? "");
  return parts?.[2] ? { createdAt: Number(parts[1]), id: parts[2] } : null;
}

function writeCursor({ createdAt, id }: Cursor): string {
  return `${createdAt}.${id}`;
}

/** The first moment of a year on a calendar, and the first after it. */
export function yearBounds(year: number, timeZone: string): { from: number; until: number } {
  const start = (of: number) => startOfDay({ year: of, month: 1, day: 1 }, timeZone);
  return { from: start(year), until: start(year + 1) };
}

/** A year in which orders were paid, or the first and the last of the others in one year in UTC. */
export type Heap = { numberYear: number | null; firstAt: number; lastAt: number };

/** Years, newest first, and states that orders of an account have: what its list can be narrowed to. */
export function facetsOf(states: { state: OrderState }[], heaps: Heap[], timeZone: string) {
  // No calendar is a day ahead of UTC, so a year in UTC lies in two years of another calendar at most: its ends name both.
  const years = heaps.flatMap(({ numberYear, firstAt, lastAt }) =>
    numberYear === null ? [dayOf(firstAt, timeZone).year, dayOf(lastAt, timeZone).year] : [numberYear],
  );
  return {
    years: [...new Set(years)].toSorted((left, right) => right - left),
    states: states.map(({ state }) => state),
  };
}

/** "gull-orders-2026-paid.csv". */
export function csvFileName(productName: string, { year, state }: OrderFilter): string {
  return `${[fileNamePart(productName), "orders", year, state].filter((part) => part !== null).join("-")}.csv`;
}
