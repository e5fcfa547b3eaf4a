import { type AccountId, type RequestId, noRequest } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { listActivities } from "#app/modules/accounts/activities.queries.server.ts";
import { listSessions } from "#app/modules/accounts/sessions.queries.server.ts";
import { findCode } from "#app/modules/accounts/codes/queries.server.ts";
import { listPasskeys } from "#app/modules/accounts/passkeys/queries.server.ts";

type SecurityInput = { activitiesMax: number; proof: RequestId | null; browserHash: string; now: number };

/** How an account signs in, where it is signed in, and the form that a re-authentication interrupted, in one round trip. */
export function readSecurity({ db }: Pick<App, "db">, accountId: AccountId, input: SecurityInput) {
  return batchNamed(db, {
    sessions: listSessions(db, accountId, input.now),
    activities: listActivities(db, accountId, input.activitiesMax),
    passkeys: listPasskeys(db, accountId),
    proofs: findCode(db, input.proof ?? noRequest, input.browserHash),
  });
}
