import type { App } from "#app/context.ts";
import { sealLetter } from "#app/domain/mail/deliver-mail.server.ts";
import { addMail, justChanged } from "#app/domain/mail/store.server.ts";
import { portionMax } from "./invitations.rules.ts";
import { changeToTold, joinOfAccount, listUntoldJoined } from "./joining.store.server.ts";
import { joinInvited } from "./invitations.store.server.ts";
import { type Entry, gateName } from "./rules.ts";
import { readEntry } from "./store.server.ts";

export type JoiningPowers = Pick<App, "db" | "clock" | "random" | "pepper" | "origin" | "product">;

/** Somebody signed up, or paid: what they waited for is theirs, and its place in line has done its work. */
export async function joinEntries(app: JoiningPowers, accountId: string): Promise<void> {
  for (const row of await joinOfAccount(app.db, accountId, app.clock())) await tellJoined(app, readEntry(row));
}

/** The clock's share, where the act of a route was killed. */
export async function sweepJoined(app: JoiningPowers): Promise<void> {
  await joinInvited(app.db, app.clock(), portionMax);
  for (const row of await listUntoldJoined(app.db, portionMax)) await tellJoined(app, readEntry(row));
}

async function tellJoined(app: JoiningPowers, entry: Entry): Promise<void> {
  const letter = {
    template: "waitlist-joined",
    what: gateName(app.product, entry.gate),
    url: `${app.origin}/settings`,
  } as const;
  const mail = await sealLetter(app, entry.email, letter, `${entry.id}.joined`);
  await app.db.batch([changeToTold(app.db, entry.id, "joined", app.clock()), addMail(app.db, mail, justChanged)]);
}
