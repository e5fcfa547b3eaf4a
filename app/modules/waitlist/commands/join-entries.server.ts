import type { App, Base, Secrets, Site } from "#app/app.ts";
import { sealEmail } from "#app/modules/email/commands/deliver-mail.server.ts";
import { addMail, justChanged } from "#app/modules/email/queries.server.ts";
import { portionMax } from "../invitations.rules.ts";
import { changeToJoined, changeToTold, listInvitedJoining, listJoining } from "../joining.queries.server.ts";
import { type Entry, gateName } from "../rules.ts";
import { readEntry } from "../queries.server.ts";

type JoiningPowers = Base & Site & Secrets;

/** Somebody signed up, or paid: what they waited for is theirs, and its place in line has done its work. */
export async function joinEntries(app: JoiningPowers, accountId: string): Promise<void> {
  for (const row of await listJoining(app.db, accountId)) await join(app, readEntry(row));
}

/** The clock's share, where the act of a route was killed. One that fails keeps nobody else waiting. */
export async function sweepJoined(app: JoiningPowers & Pick<App, "report">): Promise<void> {
  for (const row of await listInvitedJoining(app.db, portionMax)) await join(app, readEntry(row)).catch(app.report);
}

/** That they are in and that they are told so is one batch. */
async function join(app: JoiningPowers, { id, gate, email, createdAt }: Entry): Promise<void> {
  const now = app.clock();
  const url = `${app.origin}/settings`;
  const content = { template: "waitlist-joined", what: gateName(app.product, gate), url } as const;
  // Whoever begins anew waits under the same id.
  const mail = await sealEmail(app, email, content, `${id}.joined.${createdAt}`);
  await app.db.batch([
    changeToJoined(app.db, id, now),
    changeToTold(app.db, id, "joined", now),
    addMail(app.db, mail, justChanged),
  ]);
}
