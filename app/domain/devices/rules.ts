/**
 * The devices room: the licence key of an account, the installations of the product that it activated, and what they may do now.
 * A plan has seats; each active device has one. A device is known by what its machine says of itself, hashed.
 */
import { keyedHash } from "#app/domain/kernel/digest.ts";

export type DeviceState = "active" | "removed";

/** The same machine has the same one, whichever account it is activated for. */
export function fingerprintHash(pepper: string, fingerprint: string): Promise<string> {
  return keyedHash(pepper, "fingerprint", fingerprint);
}
