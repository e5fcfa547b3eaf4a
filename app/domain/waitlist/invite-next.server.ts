import type { App } from "#app/context.ts";
import { newId } from "#app/domain/kernel/id.ts";
import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import { formatMoment } from "#app/domain/kernel/time.ts";
import { sealLetter } from "#app/domain/mail/deliver-mail.server.ts";
import { addMail } from "#app/domain/mail/store.server.ts";
import { gateWord } from "#app/domain/product/rules.ts";
import { invitationLifeMs, portionMax, waveMax, waveOf } from "./invitations.rules.ts";
import {
  addWave,
  changeToInvited,
  countInvitedByClock,
  isInvited,
  listNext,
  type Wave,
} from "./invitations.store.server.ts";
import { type Entry, entryToken, gateName } from "./rules.ts";
import { readEntry } from "./store.server.ts";

export type InvitingPowers = Pick<App, "db" | "clock" | "random" | "pepper" | "origin" | "product" | "gate">;

/** An operator invites the next ones in line, up to `waveMax` at once, on top of what the clock does. */
export async function inviteNext(
  app: InvitingPowers,
  count: number,
): Promise<Result<{ invited: number }, { reason: "no-gate" }>> {
  const gate = gateWord(app.gate);
  if (gate === null) return refused({ reason: "no-gate" });
  const now = app.clock();
  const { day } = waveOf(now, app.product.timeZone);
  let invited = 0;
  for (let left = Math.min(count, waveMax); left > 0; left = Math.min(count, waveMax) - invited) {
    const next = await listNext(app.db, gate, now, Math.min(left, portionMax));
    if (next.length === 0) break;
    const wave: Wave = { id: newId("wav", app.random), gate, cause: "operator", day, size: next.length, now };
    invited += await invite(app, next.map(readEntry), wave, null);
  }
  return done({ invited });
}

/**
 * The clock's wave of a day, for those who waited when it began: as many as the config says, in portions, so that one run stays
 * short. Of two runs at once each is held to what the day has left.
 */
export async function inviteToday(app: InvitingPowers): Promise<void> {
  const gate = gateWord(app.gate);
  const perDay = app.product.invitationsPerDay;
  const now = app.clock();
  const { day, startsAt } = waveOf(now, app.product.timeZone);
  if (gate === null || perDay === 0 || now < startsAt) return;
  const [[taken], next] = await app.db.batch([
    countInvitedByClock(app.db, gate, day),
    listNext(app.db, gate, startsAt, portionMax),
  ]);
  if (next.length === 0 || (taken?.count ?? 0) >= perDay) return;
  const wave: Wave = { id: newId("wav", app.random), gate, cause: "clock", day, size: next.length, now };
  await invite(app, next.map(readEntry), wave, perDay);
}

/** One batch: the wave, and each of its people with a mail. Whoever left in between, or was invited by somebody else, isn't. */
async function invite(app: InvitingPowers, next: Entry[], wave: Wave, perDay: number | null): Promise<number> {
  const mails = await Promise.all(next.map((entry) => writeInvitation(app, entry, wave.now)));
  const [, ...written] = await app.db.batch([
    addWave(app.db, wave, perDay),
    ...next.map(({ id }, index) => changeToInvited(app.db, id, { wave, nth: index + 1 })),
    ...mails.map((mail, index) => {
      const { id = "", invitations = 0 } = next[index] ?? {};
      return addMail(app.db, mail, isInvited(id, invitations + 1));
    }),
  ]);
  return written.slice(0, next.length).filter(({ meta }) => meta.changes > 0).length;
}

async function writeInvitation(app: InvitingPowers, entry: Entry, now: number) {
  const until = formatMoment(now + invitationLifeMs, app.product);
  const url = `${app.origin}/waitlist?entry=${await entryToken(app.pepper, entry.id)}`;
  const letter = { template: "waitlist-invited", what: gateName(app.product, entry.gate), url, until } as const;
  return sealLetter(app, entry.email, letter, `${entry.id}.invited.${entry.invitations + 1}`);
}
