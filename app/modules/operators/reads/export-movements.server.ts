import type { App } from "#app/app.ts";
import { readCursor, writeCursor } from "#app/core/cursor.ts";
import { type OrderId, readId } from "#app/core/id.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { startOfDay } from "#app/core/time/calendar.ts";
import { type Movement, movementOf } from "#app/modules/billing/documents/movements.rules.ts";
import { listDocuments } from "#app/modules/billing/documents/everyone.queries.server.ts";
import type { CursorRefusal } from "./read-page.server.ts";

/** Movements in one answer. */
const exportedMax = 500;

type Exported = { year: number; timeZone: string; movements: Movement[]; next: string | null };

/**
 * Everything that moved in a year of the seller's calendar, oldest first: sales, refunds, lost disputes, each with both numbers and tax.
 * `next` is the cursor of the next page, null on the last.
 */
export async function exportMovements(
  { db, product }: Pick<App, "db" | "product">,
  { year, after }: { year: number; after?: string | undefined },
): Promise<Result<Exported, CursorRefusal>> {
  const cursor = after === undefined ? null : readExportCursor(after);
  if (cursor === null && after !== undefined) return refused({ reason: "cursor-unknown" });
  const { timeZone } = product;
  const startOf = (of: number) => startOfDay({ year: of, month: 1, day: 1 }, timeZone);
  const period = { from: startOf(year), until: startOf(year + 1) };
  const rows = await listDocuments(db, { ...period, after: cursor, limit: exportedMax + 1 });
  const shown = rows.slice(0, exportedMax);
  const last = rows.length > exportedMax ? shown.at(-1)?.document : undefined;
  return done({
    year,
    timeZone,
    movements: shown.map(movementOf),
    // An invoice has no cause.
    next: last === undefined ? null : writeCursor([last.issuedAt, last.orderId, last.cause || invoiceCause]),
  });
}

/** What stands for an invoice's empty cause in a cursor. */
const invoiceCause = "invoice";

function readExportCursor(text: string): readonly [number, OrderId, string] | null {
  const [issuedAt, id, cause] = readCursor(text, 3) ?? [];
  const orderId = readId("ord", String(id));
  if (typeof issuedAt !== "number" || orderId === null || cause === undefined) return null;
  return [issuedAt, orderId, cause === invoiceCause ? "" : String(cause)];
}
