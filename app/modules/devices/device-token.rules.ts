/**
 * What a device shows to be known: its id, and a keyed hash of it. Nothing of it is stored, so that it can be given again when an
 * answer was lost, and one that was made up is told without a look at the database. It ends with the device (decision 0024).
 */
import { fitsKeyedHash, keyedHash } from "#app/core/digest.ts";

const use = "device token";

export async function deviceToken(pepper: string, deviceId: string): Promise<string> {
  return `${deviceId}.${await keyedHash(pepper, use, deviceId)}`;
}

/** The device that a token names; null for one that we never gave. Whether the device still stands is for the database. */
export async function readDeviceToken(pepper: string, token: string): Promise<string | null> {
  const [, deviceId = "", hash = ""] = /^(dev_[0-9a-z]{1,40})\.([0-9a-z]{1,80})$/.exec(token) ?? [];
  return deviceId !== "" && (await fitsKeyedHash(pepper, use, deviceId, hash)) ? deviceId : null;
}
