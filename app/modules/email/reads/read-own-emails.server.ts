import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Database } from "#app/db/database.server.ts";
import { listRecentEmails } from "../queries.server.ts";
import { findUnsubscribedEntry } from "../unsubscribe.queries.server.ts";

/** The newest emails to an account, and its place on the waitlist if a mailbox has unsubscribed that. */
export function readOwnEmails(db: Database, accountId: AccountId) {
  return batchNamed(db, {
    emails: listRecentEmails(db, accountId),
    unsubscribed: findUnsubscribedEntry(db, accountId),
  });
}
