/** Decides what a device may do now: what its account may use, and how many seats are taken. Called from the product API. */
import type { DeviceId } from "#app/core/id.ts";
import * as v from "valibot";
import {
  describeEntitlement,
  entitlementOf,
  entitlementRefreshMs,
} from "#app/modules/billing/entitlements/entitlement.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { seatsOf } from "./plans.rules.ts";

const count = v.pipe(v.number(), v.integer());

/** The claims of a device's token, as the OpenAPI document describes them. */
export function describeDeviceEntitlement(described: Omit<Parameters<typeof describeEntitlement>[0], "overLimit">) {
  return v.object({
    ...describeEntitlement({ ...described, overLimit: "more devices than seats" }),
    device: v.pipe(v.string(), v.description("The device it was issued to")),
    seats: v.object({ used: count, of: count }),
  });
}

type DeviceFacts = Omit<Parameters<typeof entitlementOf>[1], "counted"> & { deviceId: DeviceId; seatsUsed: number };

/** The claims that are a device's own come with those of its account. */
export function deviceEntitlementOf(product: ProductConfig, { deviceId, seatsUsed, ...facts }: DeviceFacts) {
  const claims = entitlementOf(product, { ...facts, counted: { devices: seatsUsed } });
  return { ...claims, device: deviceId, seats: { used: seatsUsed, of: seatsOf(claims) } };
}

export type DeviceClaims = ReturnType<typeof deviceEntitlementOf>;

/** A replica that shows no use of a device for this long may have stopped: a product that runs asks every `entitlementRefreshMs`. */
const replicaAgeMaxMs = 2 * entitlementRefreshMs;

/**
 * Whether a device may be told what a replica says. What is granted may be late: it then stands in a token for a day anyway, and a change of
 * plan in the last moment arrives with the next refresh. What is refused or restricted may not, since a payment or an activation may just have
 * lifted it, so the primary is asked. A device's last use bounds the replica's age: each refresh writes it, so a replica that is behind for
 * longer doesn't show it.
 */
export function isReplicaEnough({ state }: Pick<DeviceClaims, "state">, lastSeenAt: number, now: number): boolean {
  return (state === "active" || state === "grace") && lastSeenAt > now - replicaAgeMaxMs;
}
