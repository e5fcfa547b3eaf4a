/**
 * The mail module: an outbox. A mail is queued in the same batch as what it tells of, leaves right after the commit, and
 * is tried again by the clock when the other side was down. What it says is sealed in the table and wiped once it left.
 */
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import type { EmailContent } from "./templates.rules.ts";

/** What a person may do without, kind by kind: told of things that are to be seen on the pages, too. */
export const mailKinds = ["renewals", "rewards", "usage"] as const;
export type MailKind = (typeof mailKinds)[number];

type OptionalTemplate = Extract<EmailContent, { offUrl: string }>["template"];

const kinds: Record<OptionalTemplate, MailKind> = {
  "renewal-notice": "renewals",
  "reward-earned": "rewards",
  "reward-reversed": "rewards",
  "usage-high": "usage",
  "usage-full": "usage",
};

/** Which switch a letter hangs on; null for those that always come. */
export function kindOf(template: string): MailKind | null {
  return template in kinds ? kinds[template as OptionalTemplate] : null;
}

export type MailState = "queued" | "sent" | "failed";

/** Waits before each try; the first follows the commit. After the last one the email has failed and operators see it. */
export const retryWaitsMs = [0, 1, 2, 5, 15, 60, 180, 720].map((minutes) => minutes * minuteMs);

/** A try that never reported back (a killed Worker) is repeated after this. */
export const tryLeaseMs = 2 * minuteMs;

/** A first try that takes this long is shown as delayed. Together with the wait after it no longer than a lease. */
export const lateAfterMs = minuteMs;

/** How long the emptied row is stored. Longer than a year: the row is what makes a yearly email be sent once. */
export const mailKeptMs = 400 * dayMs;

/** How long an operator can resend a failed email; of one with a code only the recipient is stored. */
export const failedKeptMs = 7 * dayMs;

export type Mail = { to: string; subject: string; text: string; html: string };

/** When the next try is due after `tries` failed ones; null when they are used up. */
export function nextTryAt(tries: number, now: number): number | null {
  const wait = retryWaitsMs[tries];
  return wait === undefined ? null : now + wait;
}

/** What a person who waits for a mail should know of it. */
export type MailStanding = "leaving" | "late" | "sent" | "failed";

/**
 * Late: a try has failed, or the first one hangs. When it began follows from when the next is due; after a failure that comes
 * out as `lateAfterMs` ago, so that the page says so at once.
 */
export function standingOf(
  mail: { state: MailState; tries: number; nextTryAt: number | null },
  now: number,
): MailStanding {
  if (mail.state !== "queued") return mail.state;
  const begunAt = (mail.nextTryAt ?? now) - (mail.tries === 0 ? 0 : tryLeaseMs);
  return mail.tries > 1 || now - begunAt >= lateAfterMs ? "late" : "leaving";
}

/** Every fact as one line: whatever a passkey is called, it starts no line of its own in a mail. */
export function cleanFacts(content: EmailContent): EmailContent {
  const facts = Object.entries(content).map(([name, fact]) => [name, typeof fact === "string" ? oneLine(fact) : fact]);
  // The same keys with the same kinds of values.
  return Object.fromEntries(facts) as EmailContent;
}

/**
 * No CR, LF, NUL, other control or Unicode line break gets through, nothing that turns the direction of reading, and no run
 * of blanks. Blanks that keep an amount and its currency together stay.
 */
export function oneLine(text: string): string {
  return text.replace(/[ \u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ").trim();
}

/** The sender line of every mail. A bare address goes by the product's name; one that brings a name keeps it. */
export function senderOf(product: { name: string }, from: string): string {
  return from.includes("<") ? from : `${product.name} <${from}>`;
}
