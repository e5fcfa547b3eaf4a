/**
 * Decides whether a machine gets a seat, and what the product API accepts. Invariants: each active device has one of its plan's seats,
 * and a device is recognised by a hash of what its machine reports. Called from the product API and the page of devices.
 */
import * as v from "valibot";
import { keyedHash } from "#app/core/hash.ts";
import { isEmptyOrShown, text } from "#app/core/text/text.ts";
import { dayMs, minuteMs, secondMs } from "#app/core/time/time.ts";

export const deviceStates = ["active", "removed"] as const;

/** Activations per seat within `activationWindowMs`: allows replacing machines, but not rotating one seat through an office. */
export const activationsPerSeat = 2;
/** The sliding window of `activationsPerSeat`. */
export const activationWindowMs = dayMs;
/** The last use is written at most this often. */
export const lastSeenUpdateIntervalMs = 15 * minuteMs;
/** How long the row of a removed device is stored, for its owner's data and to count activations. */
export const removedDeviceRetentionMs = 30 * dayMs;
/** A second request to replace the licence key within this time is a double click. */
export const doubleClickMs = 10 * secondMs;

/** The same machine has the same hash for every account. */
export function fingerprintHash(pepper: string, fingerprint: string): Promise<string> {
  return keyedHash(pepper, "fingerprint", fingerprint);
}

/** Why a machine gets no seat. Null if it gets one. `recent` lists the activations within the window, oldest first. */
export function checkSeat({
  seats,
  used,
  recent,
}: {
  seats: number;
  used: number;
  recent: number[];
}): { reason: "seats-full"; used: number; seats: number } | { reason: "activations-used-up"; retryAt: number } | null {
  if (used >= seats) return { reason: "seats-full", used, seats };
  // The activation that has to leave the window to make room for another.
  const blocking = recent.at(-activationsPerSeat * seats);
  return blocking === undefined ? null : { reason: "activations-used-up", retryAt: blocking + activationWindowMs };
}

/** Longer than any machine id. */
const fingerprintLengthMax = 200;
/** Characters of a device's name; the same as in the profile. */
const nameLengthMax = 80;
const platformLengthMax = 40;
/** A licence key has 33 characters, and users may type separators. */
const keyLengthMax = 200;

/** Names come from the machine: invisible characters are removed, runs of blanks become one. */
export function visible(name: string): string {
  const stripped = name
    .replaceAll(/[\p{Cf}\p{Co}\p{Cn}]/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return isEmptyOrShown(stripped) ? stripped : "";
}

export const activationBody = v.object({
  licenceKey: v.pipe(
    text({ missing: "licence-key-malformed", malformed: "licence-key-malformed" }),
    v.nonEmpty("licence-key-missing"),
    v.maxLength(keyLengthMax, "licence-key-malformed"),
    v.description("From the owner's page of devices; case, blanks and hyphens make no difference"),
  ),
  fingerprint: v.pipe(
    text({ missing: "fingerprint-malformed", malformed: "fingerprint-malformed" }),
    v.nonEmpty("fingerprint-missing"),
    v.maxLength(fingerprintLengthMax, "fingerprint-malformed"),
    v.description("Tells this machine from others and stays the same on it; only its hash is kept"),
  ),
  name: v.pipe(
    text({ missing: "name-malformed", malformed: "name-malformed" }),
    v.nonEmpty("name-missing"),
    v.maxLength(nameLengthMax, "name-too-long"),
    v.description("The name shown to the owner"),
    v.transform(visible),
    v.nonEmpty("name-missing"),
  ),
  platform: v.pipe(
    text({ missing: "platform-malformed", malformed: "platform-malformed" }),
    v.nonEmpty("platform-missing"),
    v.maxLength(platformLengthMax, "platform-malformed"),
    v.description("The operating system, as shown to the owner"),
    v.transform(visible),
    v.nonEmpty("platform-missing"),
  ),
});

/** Characters of the name that an owner gives a device. */
export const givenNameLengthMax = 60;
