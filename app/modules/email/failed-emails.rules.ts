/**
 * Decides what is stored of an email that couldn't be sent, and until when an operator can resend it. Called from the delivery and the
 * operators' calls.
 */
import { failedEmailRetentionMs } from "./rules.ts";
import type { EmailContent } from "./templates.rules.ts";

/** What the column `sealed` holds encrypted. `content` is null once the text is wiped and only the recipient is left. */
export type SealedEmail = { to: string; content: EmailContent | null };

export const codeTemplates = ["code", "has-account"] as const satisfies EmailContent["template"][];

/** A code expires before an operator could resend its email. */
export function holdsCode(template: string): boolean {
  return codeTemplates.some((each) => each === template);
}

/** Until when a failed email can be resent. Null if it can't be. */
export function resendableUntil(email: { template: string; isStored: boolean; createdAt: number }): number | null {
  return email.isStored && !holdsCode(email.template) ? email.createdAt + failedEmailRetentionMs : null;
}
