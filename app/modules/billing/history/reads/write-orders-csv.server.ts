import type { AccountId } from "#app/core/id.ts";
import type { App } from "#app/app.ts";
import { planName } from "#app/modules/catalogue/plan-names.messages.ts";
import { listDocumentsOfOrders } from "#app/modules/billing/documents/queries.server.ts";
import { splitDocuments } from "#app/modules/billing/documents/rules.ts";
import type { CsvFormat } from "#app/core/text/csv.ts";
import type { OrderCursor, OrderFilter } from "../browse.rules.ts";
import { listOrders, readListedOrder } from "../browse.queries.server.ts";
import { csvHead, csvLine } from "../csv.rules.ts";

/** Orders read and held in memory at a time. */
const rowsPerTrip = 200;

/**
 * All matching orders of an account, newest first, as a stream. The first rows are read before the response starts, so that a failing
 * database gives an error page. A later failure aborts the response, so that half a file isn't mistaken for a whole one.
 */
export async function writeOrdersCsv(
  app: Pick<App, "db" | "product">,
  accountId: AccountId,
  filter: OrderFilter,
  format: CsvFormat,
): Promise<ReadableStream<Uint8Array>> {
  const { timeZone } = app.product;
  const utf8 = new TextEncoder();
  let after: OrderCursor | null = null;
  const readOn = async () => {
    const listing = { ...filter, timeZone, after, limit: rowsPerTrip };
    const orders = (await listOrders(app.db, accountId, listing)).map(readListedOrder);
    const paid = orders.flatMap(({ id, paidAt }) => (paidAt === null ? [] : [id]));
    const documents = paid.length === 0 ? [] : await listDocumentsOfOrders(app.db, paid);
    const lines = orders.map((order) => {
      const row = { order, ...splitDocuments(documents.filter(({ orderId }) => orderId === order.id)) };
      return csvLine(row, { planName: planName(app.product, order.planId), timeZone }, format);
    });
    const last = orders.at(-1);
    after = last ? [last.createdAt, last.id] : after;
    return { lines: lines.join(""), isLast: orders.length < rowsPerTrip };
  };
  let first: Awaited<ReturnType<typeof readOn>> | null = await readOn();
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const head = first ? csvHead(format) : "";
      const { lines, isLast } = first ?? (await readOn());
      first = null;
      controller.enqueue(utf8.encode(head + lines));
      if (isLast) controller.close();
    },
  };
  // Reads on only when the consumer asks for more.
  return new ReadableStream(source, { highWaterMark: 0 });
}
