import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import {
  findStreak,
  lengthenStreak,
  streakPausedAt,
  consumeTry,
} from "#app/modules/accounts/codes/quotas.queries.server.ts";
import { listUses, quotaConsumed } from "#app/modules/accounts/codes/quota-uses.queries.server.ts";
import {
  type Code,
  checkTry,
  type Purpose,
  streakPauseMs,
  triesLeft,
  type TryRefusal,
  wrongStreakMax,
} from "#app/modules/accounts/codes/rules.ts";
import { addTryToCodes, findCode, isNewTry } from "#app/modules/accounts/codes/queries.server.ts";
import { hashWrongDigits } from "#app/modules/accounts/codes/digits.rules.ts";
import { newId } from "#app/core/id.ts";
import { refused, type Result } from "#app/core/result.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import type { Proof } from "../proof.rules.ts";
import { activityFacts, type ActivityName } from "../activities.rules.ts";
import { addRefusalOf } from "../activities.queries.server.ts";
import { addressHasAccount } from "../queries.server.ts";

type Deps = Base & Site & Secrets & Outbox & RequestScope;

/** `tries` is the quota that counts this browser's tries. `owner` is the address as its account spells it, null without an account. */
export type OpenQuota = { tries: string; owner: string | null };

/** The action that a wrong code was an attempt at, for the activity log. */
const triedFor = {
  "sign-up": "signed-in",
  "sign-in": "signed-in",
  reauthentication: "confirmed",
  "change-email": "address-changed",
} as const satisfies Record<Purpose, ActivityName>;

/**
 * Counts one wrong try in the hour's quota, on every valid code of its kind and in the streak, and returns what is left. The same digits
 * sent twice in a row are one try: a field that submitted itself is often confirmed with Enter. The 100th wrong try in a row queues an email
 * to the account's owner in the same batch. The same statements run with and without an account.
 */
export async function countWrongTry(
  app: Deps,
  codeRequest: Code,
  { tries: quota, owner }: OpenQuota,
  { digits, device, country }: Pick<Proof, "digits" | "device" | "country">,
): Promise<Result<never, TryRefusal>> {
  const { db } = app;
  const now = app.clock();
  const use = { id: newId("use", app.random), quota, now };
  const wrongHash = await hashWrongDigits(app.pepper, codeRequest.address, digits);
  const whose =
    codeRequest.accountId === null ? { address: codeRequest.address } : { accountId: codeRequest.accountId };
  const target = { ...whose, device, country };
  const warning = await sealEmail(app, owner ?? codeRequest.addressTyped, {
    template: "hundred-wrong-codes",
    wrongCodes: wrongStreakMax,
    pauseMs: streakPauseMs,
  });
  const { before, streaks, counted, rows, warned } = await batchNamed(db, {
    before: listUses(db, quota, now),
    streaks: findStreak(db, quota),
    counted: consumeTry(db, use, isNewTry(codeRequest, wrongHash, now)),
    onCodes: addTryToCodes(db, codeRequest, wrongHash, quotaConsumed(use), now),
    lengthenStreak: lengthenStreak(db, use),
    rows: findCode(db, codeRequest.id, codeRequest.browserHash),
    warned: addEmail(db, warning, addressHasAccount(codeRequest.address, streakPausedAt(use))),
    refusal: addRefusalOf(
      db,
      activityFacts(app, triedFor[codeRequest.purpose], "wrong-code"),
      target,
      quotaConsumed(use),
    ),
  });
  if (warned.meta.changes === 1) app.later(deliverEmail(app, warning.id));
  const wasCounted = counted.meta.changes === 1;
  const triedAts = [...before.map(({ usedAt }) => usedAt), ...(wasCounted ? [now] : [])];
  const after = rows[0] ?? codeRequest;
  const left = triesLeft(after, triedAts, now);
  const over = checkTry(after, { triedAts, pausedUntil: streaks[0]?.pausedUntil ?? null }, now);
  const isWrong = wasCounted || over === null;
  if (isWrong && left > 0) return refused({ reason: "wrong-code", triesLeft: left });
  return refused(over ?? { reason: "code-exhausted" });
}
