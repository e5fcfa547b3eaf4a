import { type AccountId, noRequest, type RequestId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { findCode } from "#app/modules/codes/queries.server.ts";
import { listSubscriptions } from "#app/modules/subscriptions/queries.server.ts";
import { runningSubscription } from "#app/modules/subscriptions/rules.ts";

/** What closing the account would end, and the request whose re-authentication interrupted it: one round trip. */
export async function readClosing(
  { db }: Pick<App, "db">,
  accountId: AccountId,
  { proof, browserHash }: { proof: RequestId | null; browserHash: string },
) {
  const { subscriptions, proofs } = await batchNamed(db, {
    subscriptions: listSubscriptions(db, accountId),
    proofs: findCode(db, proof ?? noRequest, browserHash),
  });
  return { running: runningSubscription(subscriptions), proof: proofs[0] };
}
