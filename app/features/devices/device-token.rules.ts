/**
 * A device's token: its id and a MAC of it. Invariants: it isn't stored, so it can be issued again after a lost answer and a forged one
 * is rejected without a query; it is valid as long as the device is active.
 */
import { type DeviceId, readId } from "#app/core/id.ts";
import { matchesKeyedHash, keyedHash } from "#app/core/hash.ts";

const use = "device token";

export async function deviceToken(pepper: string, deviceId: DeviceId): Promise<string> {
  return `${deviceId}.${await keyedHash(pepper, use, deviceId)}`;
}

/** The device id in a token; null if we didn't issue it. Whether the device is still active is checked in the database. */
export async function readDeviceToken(pepper: string, token: string): Promise<DeviceId | null> {
  const [, id, hash = ""] = /^(dev_[0-9a-z]{1,40})\.([0-9a-z]{1,80})$/.exec(token) ?? [];
  const deviceId = readId("dev", id);
  return deviceId && (await matchesKeyedHash(pepper, use, deviceId, hash)) ? deviceId : null;
}
