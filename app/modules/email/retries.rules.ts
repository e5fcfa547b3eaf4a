/**
 * Decides what follows when the email service refuses an email: whether and when it is retried, and whether that try counts. Invariants: a
 * refused address isn't tried again, and a quota that is used up fails no email within `quotaPatienceMs`. No service says how much of its
 * quota is left, so none of it can be reserved for codes: once it's used up, they alone are tried until it's reset. Called from the delivery.
 */
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import { holdsCode } from "./failed-emails.rules.ts";
import { nextTryAt } from "./rules.ts";

/**
 * How long an email without a code waits for the service's quota. One with a code is tried only as often as ever, since its user has left
 * by then.
 */
export const quotaPatienceMs = 2 * dayMs;
/** The longest wait between two tries while a quota is used up; the service may say a shorter one. */
const quotaWaitMs = hourMs;

type Refusal =
  | { reason: "email-down" }
  | { reason: "address-refused" }
  | { reason: "quota-exhausted"; retryAfterMs: number | null };

/** `retryAt` is null if the email has failed. `tries` is the number that counts from now on. */
export function decideRetry(
  { tries, template, createdAt }: { tries: number; template: string; createdAt: number },
  refusal: Refusal,
  now: number,
): { retryAt: number | null; tries: number } {
  if (refusal.reason === "address-refused") return { retryAt: null, tries };
  if (refusal.reason !== "quota-exhausted") return { retryAt: nextTryAt(tries, now), tries };
  if (holdsCode(template)) {
    const next = nextTryAt(tries, now);
    const resetAt = now + Math.max(minuteMs, refusal.retryAfterMs ?? Infinity);
    return { retryAt: next && Math.min(next, resetAt), tries };
  }
  if (now - createdAt >= quotaPatienceMs) return { retryAt: null, tries };
  return { retryAt: othersTriedAt(refusal, now), tries: tries - 1 };
}

/** When emails without a code are tried again. */
export function othersTriedAt({ retryAfterMs }: { retryAfterMs: number | null }, now: number): number {
  return now + Math.max(minuteMs, Math.min(retryAfterMs ?? quotaWaitMs, quotaWaitMs));
}
