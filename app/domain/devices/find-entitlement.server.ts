import type { App } from "#app/context.ts";
import { keepingStates, policies, type SubscriptionState } from "#app/domain/plans/rules.ts";
import { planInForce } from "#app/domain/product/catalogue.rules.ts";
import { type Claims, entitlementClaims } from "./entitlement.rules.ts";
import { lastSeenGrainMs } from "./rules.ts";
import { changeLastSeen, findStandingOfDevice } from "./store.server.ts";

type Standing = Awaited<ReturnType<typeof findStandingOfDevice>>[number];

/** What a device may do now, in one round trip; null when it doesn't stand. That it asked is noted now and then, after the answer. */
export async function findEntitlement(
  app: Pick<App, "db" | "clock" | "product" | "later">,
  deviceId: string,
): Promise<Claims | null> {
  const now = app.clock();
  const [standing] = await findStandingOfDevice(app.db, deviceId, { keepingStates });
  if (!standing) return null;
  if (standing.lastSeenAt < now - lastSeenGrainMs) app.later(changeLastSeen(app.db, deviceId, now).execute());
  return claimsOf(app, { ...standing, deviceId });
}

export function claimsOf(
  app: Pick<App, "product">,
  { accountId, deviceId, planState, seatsUsed, ...standing }: Omit<Standing, "lastSeenAt">,
): Claims {
  // The table's CHECK holds the state.
  const policy = planState === null ? null : policies[planState as SubscriptionState];
  return entitlementClaims({ accountId, deviceId, plan: planInForce(app.product, standing.planId), policy, seatsUsed });
}
