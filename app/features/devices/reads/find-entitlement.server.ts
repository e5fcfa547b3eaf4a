import type { DeviceId } from "#app/core/id.ts";
import type { App, Base, Outbox, Site } from "#app/app.ts";
import { keepingStates } from "#app/modules/billing/subscriptions/rules.ts";
import { mostOfEach } from "#app/modules/catalogue/catalogue.rules.ts";
import { freePlan } from "#app/modules/catalogue/rules.ts";
import { seatsOf } from "../plans.rules.ts";
import type { Database } from "#app/db/database.server.ts";
import { type DeviceClaims, deviceEntitlementOf, isReplicaEnough } from "../entitlement.rules.ts";
import { lastSeenUpdateIntervalMs } from "../rules.ts";
import { addSeatReduction } from "../seats.queries.server.ts";
import { changeLastSeen, findDeviceFacts, type Seats } from "../queries.server.ts";

type Deps = Base & Site & Outbox & Pick<App, "openReplica">;

/**
 * What a device may do now, in one round trip to the nearest replica, or a second one to the primary where `isReplicaEnough` says so; null if
 * it isn't active. Its last use is updated now and then, after the response: like every write, on the primary, by its own condition.
 */
export async function findEntitlement(app: Deps, deviceId: DeviceId): Promise<DeviceClaims | null> {
  const now = app.clock();
  const near = await readFacts(app, app.openReplica(), deviceId);
  const isEnough = near !== null && isReplicaEnough(near.claims, near.lastSeenAt, now);
  const found = isEnough ? near : await readFacts(app, app.db, deviceId);
  if (!found) return null;
  const { claims, lastSeenAt } = found;
  if (lastSeenAt < now - lastSeenUpdateIntervalMs) app.later(changeLastSeen(app.db, deviceId, now).execute());
  // More devices than seats: the catalogue changed rather than the plan, so the cron job has to look at it.
  if (claims.state === "over-limit") app.later(addSeatReduction(app.db, claims.sub).execute());
  return claims;
}

async function readFacts(app: Pick<App, "product">, db: Database, deviceId: DeviceId) {
  const [facts] = await findDeviceFacts(db, deviceId);
  return facts
    ? { claims: deviceEntitlementOf(app.product, { ...facts, deviceId }), lastSeenAt: facts.lastSeenAt }
    : null;
}

export function seatsOfPlans(product: App["product"]): Seats {
  const free = freePlan(product);
  return {
    keepingStates,
    ofPlan: Object.fromEntries(product.plans.map((plan) => [plan.id, seatsOf(plan)])),
    ofUnknownPlan: seatsOf({ limits: mostOfEach(product) }),
    free: free && seatsOf(free),
  };
}
