import type { App } from "#app/app.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { findQueuePosition } from "../queue.queries.server.ts";
import type { QueuePosition } from "../queue.rules.ts";
import { listEntriesOf } from "../review.queries.server.ts";
import type { Entry } from "../rules.ts";

/** What operators see of an entry. */
export type SeenEntry = Entry & { position: QueuePosition | null };

/** Every entry of an address, at any gate, with its position. */
export async function findEntriesOf(app: Pick<App, "db">, address: string): Promise<SeenEntry[]> {
  const parsed = parseEmailAddress(address);
  const rows = parsed ? await listEntriesOf(app.db, parsed.canonical) : [];
  return Promise.all(
    rows.map(async (row) => {
      const [position] = await findQueuePosition(app.db, row.entryHash);
      return { ...row, position: position ?? null };
    }),
  );
}
