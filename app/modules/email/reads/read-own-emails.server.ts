import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { listRecentEmails } from "../queries.server.ts";

/** The newest emails to an account, and what else its owner stopped from a mailbox, by subject. */
export async function readOwnEmails({ db, hooks }: Pick<App, "db" | "hooks">, accountId: AccountId) {
  const optional = hooks.flatMap(({ optionalEmails }) => optionalEmails ?? []);
  const { emails, stopped } = await batchNamed(db, {
    emails: listRecentEmails(db, accountId),
    stopped: optional.map(({ findStoppedBy }) => findStoppedBy(db, accountId)),
  });
  return { emails, stopped: optional.flatMap(({ subject }, at) => (stopped[at]?.length ? subject : [])) };
}
