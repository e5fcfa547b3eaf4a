import { type AccountId, noAccount } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { isReauthenticated, type Viewer } from "#app/modules/accounts/rules.ts";
import { runningSubscription } from "#app/modules/billing/subscriptions/rules.ts";
import { listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { listUsage } from "#app/modules/billing/usage/queries.server.ts";
import { readMeters, usageMonthOf } from "#app/modules/billing/usage/rules.ts";
import { limitsOf } from "#app/modules/catalogue/catalogue.rules.ts";
import { namedPlan } from "#app/modules/catalogue/plan-names.messages.ts";
import { findSeatReduction } from "../seats.queries.server.ts";
import { findLicenceKey } from "../licence-keys.queries.server.ts";
import { recordKeyShown, type Deps } from "../commands/record-key-shown.server.ts";
import { openKey } from "./show-licence-key.server.ts";
import { listDevices } from "../queries.server.ts";

/**
 * Devices, seats, usage and, if requested after a re-authentication, the licence key: in one round trip, and another that logs showing
 * the key first.
 */
export async function showDevices(
  app: Deps,
  accountId: AccountId,
  signedIn: Viewer | Promise<Viewer>,
  input: { key: boolean },
) {
  const { db, product } = app;
  const now = app.clock();
  const month = usageMonthOf(now, product.timeZone);
  const reads = batchNamed(db, {
    subscriptions: listSubscriptions(db, accountId),
    list: listDevices(db, accountId),
    values: listUsage(app, accountId, month),
    key: findLicenceKey(db, input.key ? accountId : noAccount),
    reduction: findSeatReduction(db, accountId),
  });
  const [read, viewer] = await Promise.all([reads, signedIn]);
  const { subscriptions, list, values } = read;
  const [stored] = read.key;
  const [reduction] = read.reduction;
  const key = stored && isReauthenticated(viewer.session, now) ? await openKey(app, stored.sealed) : null;
  const isShown = key?.ok === true && (await recordKeyShown(app, viewer));
  const plan = namedPlan(app.product, runningSubscription(subscriptions)?.planId);
  return {
    plan,
    list,
    /** When surplus devices are removed. Null until the owner has been emailed. */
    releasesAt: reduction?.releasesAt ?? null,
    meters: readMeters(product.meters, limitsOf(product, plan), values, month),
    /** Null while it is hidden. */
    key: isShown ? key.value : null,
  };
}
