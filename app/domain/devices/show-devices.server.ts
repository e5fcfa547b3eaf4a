import type { App } from "#app/context.ts";
import { isFreshlyProven, type Viewer } from "#app/domain/accounts/rules.ts";
import { runningSubscription } from "#app/domain/plans/rules.ts";
import { listSubscriptions, readSubscription } from "#app/domain/plans/store.server.ts";
import { planOf } from "./find-entitlement.server.ts";
import { findLicenceKey } from "./licence-keys.store.server.ts";
import { openKey } from "./show-licence-key.server.ts";
import { listDevices } from "./store.server.ts";

/** Devices, seats and, where it is asked for and the proof is fresh, the licence key: in one round trip. */
export async function showDevices(
  app: Pick<App, "db" | "clock" | "product" | "pepper">,
  viewer: Viewer,
  wish: { key: boolean },
) {
  const { db } = app;
  const { account, session } = viewer;
  const isShown = wish.key && isFreshlyProven(session, app.clock());
  const [subscriptions, list, [kept]] = await db.batch([
    listSubscriptions(db, account.id),
    listDevices(db, account.id),
    findLicenceKey(db, isShown ? account.id : ""),
  ]);
  const key = kept ? await openKey(app, kept.sealed) : null;
  return {
    plan: planOf(app, runningSubscription(subscriptions.map(readSubscription))?.planId),
    list,
    /** Null: hidden. */
    key: key?.ok ? key.value : null,
  };
}
