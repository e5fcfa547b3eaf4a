import type { Messages } from "#app/core/messages.ts";
import type { EmailReturnKind } from "#app/modules/email/rules.ts";

/** Why an account no longer gets optional emails. Rare, so the server chooses the text. */
const en = {
  bounced:
    "We switched these off because an email to your address came back. Once your mailbox accepts our emails, switch them on again.",
  complained:
    "We switched these off because one of our emails was reported as spam from your mailbox. Switch them on again if that was a mistake.",
} satisfies Record<EmailReturnKind, string>;

export const returnedEmailsMessages: Messages<typeof en> = { en };
