/** What is kept of an email that couldn't be sent, and until when an operator can have it tried again. */
import { failedKeptMs } from "./rules.ts";
import type { EmailContent } from "./templates.rules.ts";

/** What the table holds of a mail, sealed; null: what it said is wiped, and to whom it went isn't yet. */
export type SealedMail = { to: string; content: EmailContent | null };

/** A code expires before an operator could send its mail again. */
export function holdsCode(template: string): boolean {
  return template === "code" || template === "has-account";
}

/** Until when a mail that failed can be sent again. Null: not at all. */
export function resendableUntil(mail: { template: string; isKept: boolean; createdAt: number }): number | null {
  return mail.isKept && !holdsCode(mail.template) ? mail.createdAt + failedKeptMs : null;
}
