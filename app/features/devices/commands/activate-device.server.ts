import { invariant } from "#app/core/invariant.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, RequestScope, Secrets, Site } from "#app/app.ts";
import { activityFacts } from "#app/modules/accounts/activities.rules.ts";
import { addActivityOf, addRefusalOf } from "#app/modules/accounts/activities.queries.server.ts";
import { newId } from "#app/core/id.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { planInForce } from "#app/modules/catalogue/catalogue.rules.ts";
import { seatsOf } from "../plans.rules.ts";
import { signEntitlement } from "#app/modules/billing/entitlements/commands/sign-entitlement.server.ts";
import { deviceToken } from "../device-token.rules.ts";
import { deviceEntitlementOf } from "../entitlement.rules.ts";
import { seatsOfPlans } from "../reads/find-entitlement.server.ts";
import { fingerprintHash, checkSeat } from "../rules.ts";
import { hashLicenceKey } from "../reads/show-licence-key.server.ts";
import { addDevice, deviceExists, findLicenceKeyFacts, factOfDevice, listActivations } from "../queries.server.ts";

type Deps = Base & Site & Secrets & RequestScope;

type Activation = {
  licenceKey: string;
  fingerprint: string;
  name: string;
  platform: string;
  /** The country of the request, for the owner's activity log. */
  country: string | null;
};

export type ActivationRefusal =
  | { reason: "licence-key-refused" }
  /** Without a plan in force a device has nothing to use. */
  | { reason: "plan-required" }
  | { reason: "seats-full"; used: number; seats: number }
  | { reason: "activations-used-up"; retryAt: number };

/**
 * Gives a machine a seat, or repeats the earlier answer: the device's token is derived from its id and never stored, so a lost answer can
 * be requested again. One round trip and one transaction.
 */
export async function activateDevice(
  app: Deps,
  activation: Activation,
): Promise<Result<{ deviceToken: string; entitlement: string }, ActivationRefusal>> {
  const { db, product } = app;
  const now = app.clock();
  const seats = seatsOfPlans(product);
  const [keyHash, fingerprint] = await Promise.all([
    hashLicenceKey(activation.licenceKey),
    fingerprintHash(app.pepper, activation.fingerprint),
  ]);
  const { name, platform, country } = activation;
  const device = { id: newId("dev", app.random), keyHash, fingerprintHash: fingerprint, name, platform, now };
  const line = {
    ...activityFacts(app, "device-added", null, "licence-key"),
    accountId: factOfDevice(device.id, "accountId"),
  };
  const {
    facts: [facts],
    recent,
  } = await batchNamed(db, {
    device: addDevice(db, device, seats),
    activity: addActivityOf(db, { ...line, device: name, country }, deviceExists(device.id)),
    facts: findLicenceKeyFacts(db, device, seats),
    recent: listActivations(db, keyHash, now),
  });
  if (!facts) return refused({ reason: "licence-key-refused" });
  const { deviceId } = facts;
  if (deviceId === null) {
    const refusal = explain(app, facts, recent);
    const { accountId } = facts;
    await db.batch([
      addRefusalOf(db, activityFacts(app, "device-added", refusal.reason, "licence-key"), {
        accountId,
        device: name,
        country,
      }),
    ]);
    return refused(refusal);
  }
  const claims = deviceEntitlementOf(product, { ...facts, deviceId });
  const [token, entitlement] = await Promise.all([deviceToken(app.pepper, deviceId), signEntitlement(app, claims)]);
  return done({ deviceToken: token, entitlement });
}

function explain(
  app: Pick<App, "product">,
  { planId, seatsUsed }: { planId: string | null; seatsUsed: number },
  recent: { at: number }[],
): ActivationRefusal {
  const plan = planInForce(app.product, planId);
  if (!plan) return { reason: "plan-required" };
  const seats = seatsOf(plan);
  const refusal = checkSeat({ seats, used: seatsUsed, recent: recent.map(({ at }) => at) });
  invariant(refusal, "A device got no seat, although no rule refused it");
  return refusal;
}
