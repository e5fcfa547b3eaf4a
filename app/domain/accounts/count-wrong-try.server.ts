import type { App } from "#app/context.ts";
import { findStreak, lengthenStreak, listUses, takeTry, tryTaken } from "#app/domain/codes/budgets.store.server.ts";
import {
  type Code,
  judgeCode,
  judgeTries,
  streakPauseMs,
  triesLeft,
  type TryRefusal,
} from "#app/domain/codes/rules.ts";
import { codeLives, countOnCodes, findCode, readCode } from "#app/domain/codes/store.server.ts";
import { newId } from "#app/domain/kernel/id.ts";
import { refused, type Result } from "#app/domain/kernel/result.ts";
import { deliverMail, sealLetter } from "#app/domain/mail/deliver-mail.server.ts";
import { addMail } from "#app/domain/mail/store.server.ts";
import { findAccountByAddress } from "./store.server.ts";

type Powers = Pick<App, "db" | "clock" | "random" | "pepper" | "product" | "mail" | "later">;

/** Counts one wrong try on the hour, on every live code of its kind and in the streak, and says what is left. */
export async function countWrongTry(app: Powers, request: Code, budget: string): Promise<Result<never, TryRefusal>> {
  const { db } = app;
  const now = app.clock();
  const use = { id: newId("use", app.random), budget, now };
  const [before, streaks, counted, , streak, rows] = await db.batch([
    listUses(db, budget, now),
    findStreak(db, budget),
    takeTry(db, use, codeLives(request, now)),
    countOnCodes(db, request, tryTaken(use), now),
    lengthenStreak(db, use),
    findCode(db, request.id, request.browserHash),
  ]);
  if (streak[0]?.pausedUntil === now + streakPauseMs) await warnOwner(app, request.address);
  const wasCounted = counted.meta.changes === 1;
  const triedAts = [...before.map(({ usedAt }) => usedAt), ...(wasCounted ? [now] : [])];
  const after = rows[0] ? readCode(rows[0]) : request;
  const left = triesLeft(after, triedAts, now);
  if (wasCounted && left > 0) return refused({ reason: "wrong-code", triesLeft: left });
  const pausedUntil = streaks[0]?.pausedUntil ?? null;
  return refused(judgeTries({ triedAts, pausedUntil }, now) ?? judgeCode(after, now) ?? { reason: "code-exhausted" });
}

/** The hundredth wrong code in a row: whoever owns the address should hear of it from us. */
async function warnOwner(app: Powers, address: string): Promise<void> {
  const [account] = await findAccountByAddress(app.db, address);
  if (!account) return;
  const mail = await sealLetter(app, account.email, { template: "hundred-wrong-codes" });
  await addMail(app.db, mail);
  app.later(deliverMail(app, mail.id));
}
