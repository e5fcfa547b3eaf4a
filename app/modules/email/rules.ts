/**
 * Decides when an email is retried, which can be switched off, and how its delivery is shown. Invariants: an email is queued in the batch
 * of the change it is about, sent right after the commit, and retried by the cron job; its content is encrypted in the table and wiped
 * once sent. Called from every module that sends email.
 */
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { type EmailSender, parseEmailSender } from "#app/core/text/email-sender.ts";
import type { EmailId } from "#app/core/id.ts";
import type { EmailContent } from "./templates.rules.ts";

/** Kinds of email that users can switch off; pages show the same information. */
export const emailKinds = ["renewals", "rewards", "usage"] as const;
export type EmailKind = (typeof emailKinds)[number];

type OptionalTemplate = Extract<EmailContent, { offUrl: string }>["template"];

const kinds: Record<OptionalTemplate, EmailKind> = {
  "renewal-notice": "renewals",
  "reward-earned": "rewards",
  "reward-reversed": "rewards",
  "usage-high": "usage",
  "usage-full": "usage",
};

/** The switch that a template belongs to; null for emails that are always sent. */
export function kindOf(template: string): EmailKind | null {
  return template in kinds ? kinds[template as OptionalTemplate] : null;
}

/** The id of an email with a key: queued under it only once. */
export function emailIdOf(key: string): EmailId {
  return `mail_${key}`;
}

export const emailStates = ["queued", "sent", "failed"] as const;
export type EmailState = (typeof emailStates)[number];

/** Why the email service didn't take an email. */
export const emailRefusals = ["email-down", "quota-exhausted", "address-refused"] as const;
export type EmailRefusalReason = (typeof emailRefusals)[number];

/** How an email can come back after the service took it. */
export const emailReturns = ["bounced", "complained"] as const;
export type EmailReturnKind = (typeof emailReturns)[number];

/** Waits before each try; the first follows the commit. After the last one the email has failed and operators see it. */
export const retryWaitsMs = [0, 1, 2, 5, 15, 60, 180, 720].map((minutes) => minutes * minuteMs);

/** A try that never reported back (a killed Worker) is repeated after this. */
export const tryLeaseMs = 2 * minuteMs;

/** A first try that takes this long is shown as delayed. This and the wait after it are together no longer than a lease. */
export const lateAfterMs = minuteMs;

/** How long the emptied row is stored. Longer than a year: the row is what makes a yearly email be sent once. */
export const emailRetentionMs = 400 * dayMs;

/** How long an operator can resend a failed email; of one with a code only the recipient is stored. */
export const failedEmailRetentionMs = 7 * dayMs;

/** How many of the newest emails their recipient sees; the data export lists all. */
export const recentEmailsMax = 10;

export type Email = { to: string; subject: string; text: string; html: string; headers?: Record<string, string> };

/** When the next try is due after `tries` failed ones; null when they are used up. */
export function nextTryAt(tries: number, now: number): number | null {
  const wait = retryWaitsMs[tries];
  return wait === undefined ? null : now + wait;
}

/** What the page of a user who waits for an email says about it. */
export type DeliveryState = "sending" | "late" | "quota-exhausted" | "sent" | "failed" | "address-refused";

/**
 * An email is late if a try has failed, or if the first one hangs. When a try began is derived from when the next one is due; after a
 * failure the result is `lateAfterMs` ago, so that the page reports it immediately. If the service refused the address or said
 * that its quota is used up, then or later, that is shown instead.
 */
export function deliveryStateOf(
  email: {
    state: EmailState;
    tries: number;
    nextTryAt: number | null;
    refusal: EmailRefusalReason | null;
    returned: EmailReturnKind | null;
  },
  now: number,
): DeliveryState {
  if (email.returned === "bounced") return "address-refused";
  if (email.state === "failed" && email.refusal === "address-refused") return email.refusal;
  if (email.state !== "queued") return email.state;
  if (email.refusal === "quota-exhausted") return email.refusal;
  const begunAt = (email.nextTryAt ?? now) - (email.tries === 0 ? 0 : tryLeaseMs);
  return email.tries > 1 || now - begunAt >= lateAfterMs ? "late" : "sending";
}

/** It is queued, and a try has failed or hangs. */
export function isWaiting(delivery: DeliveryState): boolean {
  return delivery === "late" || delivery === "quota-exhausted";
}

/** Puts every fact on one line, so that a passkey's name, for example, can't start a new line in an email. */
export function cleanFacts(content: EmailContent): EmailContent {
  // Cleaning changes neither keys nor types.
  return cleaned(content) as EmailContent;
}

function cleaned(fact: unknown): unknown {
  if (typeof fact === "string") return toOneLine(fact);
  if (Array.isArray(fact)) return fact.map(cleaned);
  if (typeof fact !== "object" || fact === null) return fact;
  return Object.fromEntries(Object.entries(fact).map(([name, part]) => [name, cleaned(part)]));
}

/**
 * Removes CR, LF, NUL, other control characters, Unicode line breaks and bidirectional overrides, and collapses runs of blanks. No-break
 * spaces between amount and currency stay.
 */
export function toOneLine(text: string): string {
  return text.replace(/[ \u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ").trim();
}

/** The sender of every email. A bare address gets the product's name; an address with a name keeps it. */
export function senderOf(product: { name: string }, from: string): EmailSender {
  const sender = parseEmailSender(from);
  return sender.name === "" ? { ...sender, name: product.name } : sender;
}
