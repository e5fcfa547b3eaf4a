import { listToRemind } from "../everyone.queries.server.ts";
import { invariant } from "#app/core/invariant.ts";
import type { App } from "#app/app.ts";
import { formatMoment } from "#app/core/time/time.ts";
import { sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { gateWord, gateName } from "#app/modules/catalogue/gate.rules.ts";
import { changeToReminded } from "../invitations.queries.server.ts";
import type { InvitingDeps } from "./invite-next.server.ts";
import { type Entry, entryToken, waitlistPath } from "../rules.ts";

/**
 * The cron job reminds entries whose invitation expires within a day, once. One that fails doesn't delay the others. Returns how many there
 * were.
 */
export async function remindInvited(app: InvitingDeps & Pick<App, "report">, portionMax: number): Promise<number> {
  const gate = gateWord(app.gate);
  if (gate === null) return 0;
  const now = app.clock();
  const rows = await listToRemind(app.db, gate, now, portionMax);
  for (const row of rows) await remind(app, row, now).catch(app.report);
  return rows.length;
}

async function remind(app: InvitingDeps, entry: Entry, now: number): Promise<void> {
  const email = await writeReminder(app, entry);
  await app.db.batch([
    changeToReminded(app.db, entry.id, now),
    addEmail(app.db, { ...email, entryId: entry.id }, justChanged),
  ]);
}

async function writeReminder(app: InvitingDeps, entry: Entry) {
  invariant(entry.invitationExpiresAt !== null, "An invited entry's invitation never expires");
  const until = formatMoment(entry.invitationExpiresAt, app.product);
  const url = `${app.origin}${waitlistPath}?entry=${await entryToken(app.pepper, entry.id)}`;
  const content = { template: "waitlist-reminder", what: gateName(app.product, entry.gate), url, until } as const;
  return sealEmail(app, entry.email, content, `${entry.id}.reminder.${entry.invitations}`);
}
