import type { App } from "#app/context.ts";
import { hashToken } from "#app/domain/kernel/digest.ts";
import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import { entryToken, judgeLink } from "./rules.ts";
import { confirmPending, findEntryByConfirmation, readEntry } from "./store.server.ts";

export type LinkRefusal = { reason: "link-unknown" } | { reason: "link-expired" } | { reason: "entry-left" };

/**
 * The one button behind a mailed link: the entry waits from now on, in whatever browser, and nobody is signed in. The first
 * click confirms; every later one only finds the way to the entry's page.
 */
export async function confirmEntry(
  app: Pick<App, "db" | "clock" | "pepper">,
  token: string,
): Promise<Result<{ entryToken: string; isFirst: boolean }, LinkRefusal>> {
  const now = app.clock();
  const confirmHash = await hashToken(token);
  const [confirmed, [row]] = await app.db.batch([
    confirmPending(app.db, confirmHash, now),
    findEntryByConfirmation(app.db, confirmHash),
  ]);
  if (!row) return refused({ reason: "link-unknown" });
  switch (judgeLink(readEntry(row), now)) {
    // Still pending after the statement means: too late for it.
    case "open":
    case "expired":
      return refused({ reason: "link-expired" });
    case "left":
      return refused({ reason: "entry-left" });
    case "confirmed":
      return done({ entryToken: await entryToken(app.pepper, row.id), isFirst: confirmed.meta.changes > 0 });
  }
}
