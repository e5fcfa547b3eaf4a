import type { DeviceId } from "#app/core/id.ts";
import type { App, Base, Outbox, Site } from "#app/app.ts";
import { keepingStates, policies } from "#app/modules/subscriptions/rules.ts";
import { limitsOf, mostOfEach, planInForce } from "#app/modules/catalogue/catalogue.rules.ts";
import { freePlan } from "#app/modules/catalogue/rules.ts";
import { type Claims, entitlementClaims } from "../entitlement.rules.ts";
import { lastSeenUpdateIntervalMs } from "../rules.ts";
import { addSeatReduction } from "../seats.queries.server.ts";
import { changeLastSeen, findDeviceFacts, type Seats } from "../queries.server.ts";

type DeviceFactsRow = Awaited<ReturnType<typeof findDeviceFacts>>[number];

/** What a device may do now, in one round trip; null if it isn't active. Its last use is updated now and then, after the response. */
export async function findEntitlement(app: Base & Site & Outbox, deviceId: DeviceId): Promise<Claims | null> {
  const now = app.clock();
  const [facts] = await findDeviceFacts(app.db, deviceId);
  if (!facts) return null;
  if (facts.lastSeenAt < now - lastSeenUpdateIntervalMs) app.later(changeLastSeen(app.db, deviceId, now).execute());
  const claims = claimsOf(app, { ...facts, deviceId });
  // More devices than seats: the catalogue changed rather than the plan, so the cron job has to look at it.
  if (claims.state === "over-limit") app.later(addSeatReduction(app.db, claims.sub).execute());
  return claims;
}

export function claimsOf(
  app: Pick<App, "product">,
  { accountId, deviceId, subscriptionState, seatsUsed, ...facts }: Omit<DeviceFactsRow, "lastSeenAt">,
): Claims {
  const policy = subscriptionState === null ? null : policies[subscriptionState];
  const plan = planInForce(app.product, facts.planId);
  const planId = plan?.id ?? null;
  return entitlementClaims({ accountId, deviceId, planId, limits: limitsOf(app.product, plan), policy, seatsUsed });
}

export function seatsOfPlans(product: App["product"]): Seats {
  return {
    keepingStates,
    ofPlan: Object.fromEntries(product.plans.map((plan) => [plan.id, plan.limits.devices])),
    ofUnknownPlan: mostOfEach(product).devices,
    free: freePlan(product)?.limits.devices ?? null,
  };
}
