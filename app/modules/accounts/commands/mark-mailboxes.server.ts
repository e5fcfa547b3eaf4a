import type { App } from "#app/app.ts";
import { mailboxHash } from "../customer-marks.rules.ts";
import { addMailboxMarks, listUnmarked } from "../customer-marks.queries.server.ts";

/** Accounts in one run of the cron job. */
const accountsMax = 250;

/**
 * Notes whose each mailbox is: for accounts that are new, that have a new address, or that are older than the marks. True: all of them are
 * noted. Run twice or by many at once it ends in the same rows.
 */
export async function markMailboxes({ db, clock, pepper }: Pick<App, "db" | "clock" | "pepper">): Promise<boolean> {
  const unmarked = await listUnmarked(db, accountsMax);
  if (unmarked.length === 0) return true;
  const marks = await Promise.all(
    unmarked.map(async ({ id, address, createdAt }) => {
      return { hash: await mailboxHash(pepper, address), accountId: id, address, createdAt };
    }),
  );
  await db.batch(addMailboxMarks(db, marks, clock()));
  return unmarked.length < accountsMax;
}
