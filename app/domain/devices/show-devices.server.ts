import type { App } from "#app/context.ts";
import { isFreshlyProven, type Session } from "#app/domain/accounts/rules.ts";
import { runningSubscription } from "#app/domain/plans/rules.ts";
import { listSubscriptions, readSubscription } from "#app/domain/plans/store.server.ts";
import { planOf } from "./find-entitlement.server.ts";
import { findLicenceKey } from "./licence-keys.store.server.ts";
import { openKey } from "./show-licence-key.server.ts";
import { listDevices } from "./store.server.ts";
import { monthOf, readMeters } from "./usage.rules.ts";
import { listUsage } from "./usage.store.server.ts";

type Proof = Pick<Session, "provenAt">;

/** Devices, seats, usage and, where it is asked for and the proof is fresh, the licence key: in one round trip. */
export async function showDevices(
  app: Pick<App, "db" | "clock" | "product" | "pepper">,
  accountId: string,
  session: Proof | Promise<Proof>,
  wish: { key: boolean },
) {
  const { db, product } = app;
  const now = app.clock();
  const month = monthOf(now, product.timeZone);
  const reads = db.batch([
    listSubscriptions(db, accountId),
    listDevices(db, accountId),
    listUsage(db, accountId, month),
    findLicenceKey(db, wish.key ? accountId : ""),
  ]);
  const [[subscriptions, list, values, [kept]], proof] = await Promise.all([reads, session]);
  const key = kept && isFreshlyProven(proof, now) ? await openKey(app, kept.sealed) : null;
  const plan = planOf(app, runningSubscription(subscriptions.map(readSubscription))?.planId);
  return {
    plan,
    list,
    meters: readMeters(product.meters, plan.limits, values, month),
    /** Null: hidden. */
    key: key?.ok ? key.value : null,
  };
}
