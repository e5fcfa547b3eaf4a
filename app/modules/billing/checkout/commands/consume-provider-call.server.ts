import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Secrets } from "#app/app.ts";
import { newId, type AccountId } from "#app/core/id.ts";
import { areFree, listUses, consumeQuotas } from "#app/modules/accounts/codes/quota-uses.queries.server.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { secondsUntil } from "#app/core/time/time.ts";
import { type ProviderCall, providerQuotas, type QuotaRefusal, quotaName, roomAt } from "../provider-quota.rules.ts";

/** Counts one call of its kind unless a limit is reached, in one statement, so that concurrent calls can't exceed it. */
export async function consumeProviderCall(
  { db, clock, random, pepper }: Base & Secrets,
  accountId: AccountId,
  kind: ProviderCall,
): Promise<Result<null, QuotaRefusal>> {
  const now = clock();
  const name = await quotaName(pepper, kind, accountId);
  const [widest, ...others] = providerQuotas[kind];
  const haveRoom = areFree(
    others.map((limit) => ({ name, ...limit })),
    now,
  );
  const [take] = consumeQuotas(db, { id: newId("use", random), now, quotas: [{ name, ...widest }] }, haveRoom);
  const { uses, taken } = await batchNamed(db, { uses: listUses(db, name, now, widest.windowMs), taken: take });
  if (taken.meta.changes === 1) return done(null);
  const usedAts = uses.map(({ usedAt }) => usedAt);
  return refused({
    reason: "too-many-requests",
    seconds: secondsUntil(roomAt(usedAts, [widest, ...others], now), now),
  });
}
