import type { App } from "#app/app.ts";
import { mailboxHash } from "../customer-hashes.rules.ts";
import { addMailboxHashes } from "../customer-hashes.queries.server.ts";
import { listUnhashedMailboxes } from "../everyone.queries.server.ts";

/** Accounts per run of the cron job. */
const accountsMax = 250;

/**
 * Adds the mailbox hash of accounts that are new, changed their address, or are older than the hashes. Returns true if none is left.
 * Idempotent, also when runs overlap.
 */
export async function hashMailboxes({ db, clock, pepper }: Pick<App, "db" | "clock" | "pepper">): Promise<boolean> {
  const unhashed = await listUnhashedMailboxes(db, accountsMax);
  if (unhashed.length === 0) return true;
  const hashes = await Promise.all(
    unhashed.map(async ({ id, address, createdAt }) => {
      return { hash: await mailboxHash(pepper, address), accountId: id, address, createdAt };
    }),
  );
  await db.batch(addMailboxHashes(db, hashes, clock()));
  return unhashed.length < accountsMax;
}
