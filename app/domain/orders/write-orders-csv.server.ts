import type { App } from "#app/context.ts";
import { findPlan } from "#app/domain/product/rules.ts";
import type { Cursor, OrderFilter } from "./browse.rules.ts";
import { listOrders } from "./browse.store.server.ts";
import { csvHead, csvLine } from "./csv.rules.ts";
import { readOrder } from "./store.server.ts";

/** Orders that are fetched and held at a time, however many there are. */
const rowsPerTrip = 200;

/**
 * All orders of an account that fit, newest first, as a file that is written while it is read. One that fails on the way breaks
 * off: half a file is never taken for a whole one.
 */
export function writeOrdersCsv(
  app: Pick<App, "db" | "product">,
  accountId: string,
  filter: OrderFilter,
): ReadableStream<Uint8Array> {
  const { timeZone } = app.product;
  const utf8 = new TextEncoder();
  let after: Cursor | null = null;
  let head = csvHead();
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const listing = { ...filter, timeZone, after, limit: rowsPerTrip };
      const orders = (await listOrders(app.db, accountId, listing)).map(readOrder);
      const lines = orders.map((order) =>
        csvLine(order, { planName: findPlan(app.product, order.planId)?.name ?? order.planId, timeZone }),
      );
      controller.enqueue(utf8.encode(head + lines.join("")));
      head = "";
      const last = orders.at(-1);
      if (!last || orders.length < rowsPerTrip) return controller.close();
      after = { createdAt: last.createdAt, id: last.id };
    },
  };
  // Nothing is read before somebody takes it.
  return new ReadableStream(source, { highWaterMark: 0 });
}
