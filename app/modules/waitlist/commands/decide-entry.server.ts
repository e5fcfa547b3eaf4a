import type { EntryId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { findQueuePosition } from "#app/modules/waitlist/queue.queries.server.ts";
import { changeToCleared, changeToRejected, findEntryById, listEntriesOf } from "../review.queries.server.ts";
import type { QueuePosition } from "#app/modules/waitlist/queue.rules.ts";
import type { Entry } from "../rules.ts";

/** What operators see of an entry. */
export type SeenEntry = Entry & { position: QueuePosition | null };

/**
 * An operator decides on an entry under review. Cleared, it counts for its referrer and can be invited; rejected, its place is gone
 * permanently. The first decision stays.
 */
export async function decideEntry(
  app: Pick<App, "db">,
  id: EntryId,
  verdict: "clear" | "reject",
): Promise<Result<Entry, { reason: "entry-unknown" } | { reason: "decided-already" } | { reason: "place-is-over" }>> {
  const change = verdict === "clear" ? changeToCleared(app.db, id) : changeToRejected(app.db, id);
  const {
    changed,
    entry: [row],
  } = await batchNamed(app.db, { changed: change, entry: findEntryById(app.db, id) });
  if (!row) return refused({ reason: "entry-unknown" });
  if (changed.meta.changes > 0) return done(row);
  const isDecided = row.review !== "under-review";
  return isDecided ? refused({ reason: "decided-already" }) : refused({ reason: "place-is-over" });
}

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
