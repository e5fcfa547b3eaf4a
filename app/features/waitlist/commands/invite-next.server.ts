import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Secrets, Site } from "#app/app.ts";
import { newId, type EntryId } from "#app/core/id.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { formatMoment } from "#app/core/time/time.ts";
import { sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import { gateWord, gateName } from "#app/modules/catalogue/gate.rules.ts";
import { invitationLifeMs, missesMax, operatorPortionMax, waveMax, waveOf } from "../invitations.rules.ts";
import { changeToInvited, isInvited, type Wave } from "../invitations.queries.server.ts";
import { waitlistPerMinuteOf } from "../config.rules.ts";
import { addWave, countInvitedByClock, listNext } from "../everyone.queries.server.ts";
import { type Entry, entryToken, noEntry, waitlistPath } from "../rules.ts";

export type InvitingDeps = Base & Site & Secrets;

type Invited = {
  invited: number;
  people: { id: EntryId; email: string }[];
  /** The gate of the entries, and until when they may accept, as their emails say. */
  gate: string;
  until: string;
};

/** An operator invites the next entries, up to `waveMax` at a time, in addition to the daily wave. */
export async function inviteNext(app: InvitingDeps, count: number): Promise<Result<Invited, { reason: "no-gate" }>> {
  const gate = gateWord(app.gate);
  if (gate === null) return refused({ reason: "no-gate" });
  const now = app.clock();
  const { day } = waveOf(now, app.product.timeZone);
  const invited: Entry[] = [];
  for (let left = Math.min(count, waveMax); left > 0; left = Math.min(count, waveMax) - invited.length) {
    const next = await listNext(app.db, gate, now, Math.min(left, operatorPortionMax));
    if (next.length === 0) break;
    const wave: Wave = { id: newId("wav", app.random), gate, trigger: "operator", day, size: next.length, now };
    invited.push(...(await invite(app, next, wave, null)));
  }
  const people = invited.map(({ id, email }) => ({ id, email }));
  return done({ invited: people.length, people, gate, until: formatMoment(now + invitationLifeMs, app.product) });
}

/**
 * The daily wave of the cron job: as many entries as the config says, among those that waited when it began, in portions, so that a run
 * stays short. Concurrent runs can't exceed the day's number.
 */
export async function inviteToday(app: InvitingDeps, portionMax = waitlistPerMinuteOf(app.product)): Promise<void> {
  const gate = gateWord(app.gate);
  const perDay = app.product.invitationsPerDay ?? 0;
  const now = app.clock();
  const { day, startsAt } = waveOf(now, app.product.timeZone);
  if (gate === null || perDay === 0 || now < startsAt || portionMax === 0) return;
  const {
    invited: [taken],
    next,
  } = await batchNamed(app.db, {
    invited: countInvitedByClock(app.db, gate, day),
    next: listNext(app.db, gate, startsAt, portionMax),
  });
  if (next.length === 0 || (taken?.count ?? 0) >= perDay) return;
  const wave: Wave = { id: newId("wav", app.random), gate, trigger: "clock", day, size: next.length, now };
  await invite(app, next, wave, perDay);
}

/** One batch: the wave, and each invitation with its email. Skips entries that left or were invited meanwhile. Returns the invited ones. */
async function invite(app: InvitingDeps, next: Entry[], wave: Wave, perDay: number | null): Promise<Entry[]> {
  const emails = await Promise.all(next.map((entry) => writeInvitation(app, entry, wave.now)));
  const { invited } = await batchNamed(app.db, {
    wave: addWave(app.db, wave, perDay),
    invited: next.map(({ id }, index) => changeToInvited(app.db, id, { wave, nth: index + 1 })),
    emails: emails.map((sealedEmail, index) => {
      const { id = noEntry, invitations = 0 } = next[index] ?? {};
      return addEmail(app.db, { ...sealedEmail, entryId: id }, isInvited(id, invitations + 1));
    }),
  });
  return next.filter((_, index) => (invited[index]?.meta.changes ?? 0) > 0);
}

async function writeInvitation(app: InvitingDeps, entry: Entry, now: number) {
  const until = formatMoment(now + invitationLifeMs, app.product);
  const url = `${app.origin}${waitlistPath}?entry=${await entryToken(app.pepper, entry.id)}`;
  const content = invitationEmail(app, entry.gate, { url, until });
  return sealEmail(app, entry.email, content, `${entry.id}.invited.${entry.invitations + 1}`);
}

/** `url`: the entry's page, whose address contains its secret token. */
export function invitationEmail(
  { product }: Pick<App, "product">,
  gate: string,
  { url, until }: { url: string; until: string },
): EmailContent {
  return { template: "waitlist-invited", what: gateName(product, gate), url, until, missesMax };
}
