import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { hashToken } from "#app/core/hash.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { changeToLeft, findEntry } from "../queries.server.ts";

export type LeaveRefusal = { reason: "link-unknown" } | { reason: "place-is-over" };

/** Leaves the waitlist permanently: joining again starts at the end. Idempotent. */
export async function leaveWaitlist(
  app: Pick<App, "db" | "clock">,
  token: string,
): Promise<Result<null, LeaveRefusal>> {
  const entryHash = await hashToken(token);
  const {
    entry: [row],
  } = await batchNamed(app.db, {
    left: changeToLeft(app.db, entryHash, app.clock()),
    entry: findEntry(app.db, entryHash),
  });
  if (!row) return refused({ reason: "link-unknown" });
  return row.state === "left" ? done(null) : refused({ reason: "place-is-over" });
}
