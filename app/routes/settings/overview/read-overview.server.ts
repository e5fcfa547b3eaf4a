import { type AccountId, noRequest, type RequestId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { listActivities } from "#app/modules/accounts/activities.queries.server.ts";
import { listSessions } from "#app/modules/accounts/queries.server.ts";
import { findCode } from "#app/modules/codes/queries.server.ts";
import { listDevices } from "#app/modules/devices/queries.server.ts";
import { listUsage } from "#app/modules/devices/usage.queries.server.ts";
import { findOpenChoice, findUnconfirmed } from "#app/modules/orders/queries.server.ts";
import { listPasskeys } from "#app/modules/passkeys/queries.server.ts";
import { findCustomer, listSubscriptions } from "#app/modules/subscriptions/queries.server.ts";

type Asked = { activitiesMax: number; month: string; proof: RequestId | null; browserHash: string; now: number };

/** Everything that the overview shows, in one round trip. */
export function readOverview({ db }: Pick<App, "db">, accountId: AccountId, asked: Asked) {
  return batchNamed(db, {
    subscriptions: listSubscriptions(db, accountId),
    customers: findCustomer(db, accountId),
    sessions: listSessions(db, accountId, asked.now),
    activities: listActivities(db, accountId, asked.activitiesMax),
    passkeys: listPasskeys(db, accountId),
    devices: listDevices(db, accountId),
    usage: listUsage(db, accountId, asked.month),
    proofs: findCode(db, asked.proof ?? noRequest, asked.browserHash),
    unconfirmed: findUnconfirmed(db, accountId),
    open: findOpenChoice(db, accountId),
  });
}
