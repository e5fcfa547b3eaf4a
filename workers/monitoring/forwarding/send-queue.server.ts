import {
  addTallies,
  countLosses,
  type LossReason,
  NOTHING_LOST,
  splitForReport,
  type Tally,
} from "../envelopes/client-report.rules.ts";
import { SEND_QUEUE_BYTES_MAX, SEND_QUEUE_EVENTS_MAX } from "../constants.ts";
import type { Loss } from "../envelopes/items.rules.ts";
import { learnLimits, type LimitSignal, NO_LIMITS, type RateLimits } from "./rate-limits.rules.ts";

/**
 * State shared by the requests of one isolate: how much is in flight, what the receiver forbids, what was lost.
 * Numbers only, never a promise or a stream: workerd cancels a request that awaits what another request resolves.
 */
export class SendQueue {
  events = 0;
  bytes = 0;
  limits: RateLimits = NO_LIMITS;
  lost: Tally = NOTHING_LOST;

  /** Bytes count from the moment they are read, not only once accepted: memory fills up before the queue does. */
  holdBytes(count: number): boolean {
    if (this.bytes + count > SEND_QUEUE_BYTES_MAX) return false;
    this.bytes += count;
    return true;
  }

  releaseBytes(count: number): void {
    this.bytes -= count;
  }

  /** Adds an envelope that has grown by this many bytes since it was read. The newest is refused when the queue is full. */
  enter(grownBytes: number): boolean {
    if (this.events >= SEND_QUEUE_EVENTS_MAX || !this.holdBytes(grownBytes)) return false;
    this.events += 1;
    return true;
  }

  leave(bytes: number): void {
    this.events -= 1;
    this.releaseBytes(bytes);
  }

  learn(signal: LimitSignal, now: number): void {
    this.limits = learnLimits(this.limits, signal, now);
  }

  count(reason: LossReason, losses: readonly Loss[]): void {
    if (losses.length > 0) this.lost = countLosses(this.lost, reason, losses);
  }

  takeLost(): Tally {
    const { reported, left } = splitForReport(this.lost);
    this.lost = left;
    return reported;
  }

  /** A report that didn't arrive is sent again later. */
  restoreLost(tally: Tally): void {
    this.lost = addTallies(this.lost, tally);
  }
}

/** Shared by the tunnel and the endpoint for policy reports: per isolate, lost with it. */
export const isolateQueue = new SendQueue();
