/**
 * The mail room: an outbox. A mail is queued in the same batch as what it tells of, leaves right after the commit, and
 * is tried again by the clock when the other side was down. What it says is sealed in the table and wiped once it left.
 */
import { minuteMs } from "#app/domain/kernel/time.ts";

/** Every mail we send, with what its words need. Addresses of pages are whole, from configuration. */
export type Letter =
  | { template: "code"; purpose: "sign-up" | "sign-in" | "change-email" | "fresh-proof"; code: string; url: string }
  | { template: "has-account"; code: string; url: string }
  | { template: "no-account"; url: string }
  | { template: "hundred-wrong-codes" }
  | { template: "sessions-ended" }
  | { template: "address-wanted" }
  | { template: "address-changed"; to: string; url: string; until: string }
  | { template: "address-reverted"; to: string }
  | { template: "waitlist-confirm"; url: string; what: string }
  | { template: "waitlist-place"; url: string; what: string }
  | { template: "receipt"; what: string; amount: string; url: string }
  | { template: "payment-processing"; what: string; amount: string; url: string }
  | { template: "payment-failed"; what: string; amount: string; url: string };

export type MailState = "queued" | "sent" | "failed";

/** Waits between tries: the first follows the commit at once. After the last the mail is failed and shows to operators. */
export const retryWaitsMs = [0, 1, 2, 5, 15, 60, 180, 720].map((minutes) => minutes * minuteMs);

/** A try that never reported back (a killed Worker) is taken up again after this. */
export const tryLeaseMs = 2 * minuteMs;

export type Mail = { to: string; subject: string; text: string; html: string };

/** When the next try is due after `tries` failed ones; null when they are used up. */
export function nextTryAt(tries: number, now: number): number | null {
  const wait = retryWaitsMs[tries];
  return wait === undefined ? null : now + wait;
}

/** One line of a header: no CR, LF, NUL, other control or Unicode line break gets through, and no run of blanks. */
export function headerLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, " ").trim();
}
