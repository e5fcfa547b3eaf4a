/**
 * Loss accounting: what the tunnel itself dropped, by reason and category, to be attached to a later envelope as a client
 * report (protocol, client reports). Pure: a tally goes in, a tally comes out.
 */
import { REPORT_ENTRIES_MAX } from "../constants.ts";
import type { Loss } from "./items.rules.ts";

export type LossReason = "ratelimit_backoff" | "queue_overflow" | "send_error" | "network_error";

/** "reason:category" to a quantity. Bounded: four reasons, and the known categories. */
export type Tally = ReadonlyMap<string, number>;

export const NOTHING_LOST: Tally = new Map();

export function countLosses(tally: Tally, reason: LossReason, losses: readonly Loss[]): Tally {
  const counted = new Map(tally);
  for (const { category, quantity } of losses) {
    const key = `${reason}:${category}`;
    counted.set(key, (counted.get(key) ?? 0) + quantity);
  }
  return counted;
}

export function addTallies(one: Tally, other: Tally): Tally {
  const sum = new Map(one);
  for (const [key, quantity] of other) sum.set(key, (sum.get(key) ?? 0) + quantity);
  return sum;
}

/** Splits a tally into as much as one report may contain, and the rest for the next report. */
export function splitForReport(tally: Tally): { reported: Tally; left: Tally } {
  const entries = [...tally];
  return {
    reported: new Map(entries.slice(0, REPORT_ENTRIES_MAX)),
    left: new Map(entries.slice(REPORT_ENTRIES_MAX)),
  };
}

/**
 * Sentry's JavaScript SDKs count what was refused with 413 themselves since 10.39 (getsentry/sentry-javascript#19093): counted here as
 * well, each loss would be reported twice.
 */
export function countsItsOwn413(envelopeHeader: Record<string, unknown>): boolean {
  const { sdk } = envelopeHeader as { sdk?: { name?: unknown; version?: unknown } | null };
  if (!String(sdk?.name).startsWith("sentry.javascript.")) return false;
  const [major = 0, minor = 0] = String(sdk?.version).split(".").map(Number);
  return major > 10 || (major === 10 && minor >= 39);
}

/** Receivers read 32 bits (Relay, `DiscardedEvent`): one larger number makes them discard the whole report. */
const QUANTITY_MAX = 2 ** 32 - 1;

/** The item as written in an envelope: header line, newline, payload. */
export function reportItem(tally: Tally, now: number): Uint8Array {
  const discarded = [...tally].map(([key, quantity]) => {
    const [reason, category] = key.split(":");
    return { reason, category, quantity: Math.min(quantity, QUANTITY_MAX) };
  });
  const payload = JSON.stringify({ timestamp: now / 1000, discarded_events: discarded });
  // The payload is ASCII, so its length in characters is its length in bytes.
  return new TextEncoder().encode(`{"type":"client_report","length":${payload.length}}\n${payload}`);
}
