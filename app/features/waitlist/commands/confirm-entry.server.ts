import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { hashToken } from "#app/core/hash.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { confirmAll } from "../confirming.queries.server.ts";
import { entryToken, linkVerdict, networkHash, readLink } from "../rules.ts";
import { findEntryByConfirmation } from "../queries.server.ts";

export type LinkRefusal = { reason: "link-unknown" } | { reason: "link-expired" } | { reason: "entry-left" };

/**
 * The button behind an emailed link: confirms the entry, in any browser, without signing in. The first click confirms, and its link
 * decides the referrer; later ones lead to the entry's page.
 */
export async function confirmEntry(
  app: Pick<App, "db" | "clock" | "pepper">,
  link: string,
  ip: string | null = null,
): Promise<Result<{ entryToken: string; isFirst: boolean }, LinkRefusal>> {
  const now = app.clock();
  const { token, referrers } = readLink(link);
  const confirmHash = await hashToken(token);
  const network = await networkHash(app.pepper, ip);
  const {
    confirmed: [confirmed],
    entry: [row],
  } = await batchNamed(app.db, {
    confirmed: confirmAll(app.db, { confirmHash, referrers, networkHash: network, now }),
    entry: findEntryByConfirmation(app.db, confirmHash),
  });
  if (!row) return refused({ reason: "link-unknown" });
  switch (linkVerdict(row, now)) {
    // If the entry is still pending after the statement, the click came too late.
    case "open":
    case "expired":
      return refused({ reason: "link-expired" });
    case "left":
      return refused({ reason: "entry-left" });
    case "confirmed":
      return done({ entryToken: await entryToken(app.pepper, row.id), isFirst: confirmed.meta.changes > 0 });
  }
}
