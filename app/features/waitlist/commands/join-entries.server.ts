import { gateName } from "#app/modules/catalogue/gate.rules.ts";
import type { AccountId } from "#app/core/id.ts";
import { pagePaths } from "#app/core/page-paths.ts";
import type { App, Base, Secrets, Site } from "#app/app.ts";
import { sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { changeToJoined, changeToInformed, listJoining } from "../joining.queries.server.ts";
import { listInvitedJoining } from "../everyone.queries.server.ts";
import { type Entry } from "../rules.ts";

type JoiningDeps = Base & Site & Secrets;

/** Marks the entries as joined that waited for this account to exist, or to pay. */
export async function joinEntries(app: JoiningDeps, accountId: AccountId): Promise<void> {
  for (const row of await listJoining(app.db, accountId)) await join(app, row);
}

/** So that a run of the cron job stays short. */
const perRunMax = 25;

/** The cron job's part, in case a request was killed before it marked its entries. One that fails doesn't delay the others. */
export async function sweepJoined(app: JoiningDeps & Pick<App, "report">): Promise<void> {
  for (const row of await listInvitedJoining(app.db, perRunMax)) await join(app, row).catch(app.report);
}

/** Marks an entry as joined and queues the email, in one batch. */
async function join(app: JoiningDeps, { id, gate, email, createdAt }: Entry): Promise<void> {
  const now = app.clock();
  const url = app.origin + pagePaths.overview;
  const content = { template: "waitlist-joined", what: gateName(app.product, gate), url } as const;
  // An entry that starts again keeps its id, so the time is part of the email's name.
  const sealedEmail = await sealEmail(app, email, content, `${id}.joined.${createdAt}`);
  await app.db.batch([
    changeToJoined(app.db, id, now),
    changeToInformed(app.db, id, "joined", now),
    addEmail(app.db, { ...sealedEmail, entryId: id }, justChanged),
  ]);
}
