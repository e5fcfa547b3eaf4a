import type { EntryId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { changeToCleared, changeToRejected, findEntryById } from "../review.queries.server.ts";
import type { Entry } from "../rules.ts";

/**
 * An operator decides on an entry under review. Cleared, it counts for its referrer and can be invited; rejected, it is removed
 * for good. The first decision is final.
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
