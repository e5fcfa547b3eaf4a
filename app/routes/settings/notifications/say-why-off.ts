import { emailKinds, type EmailKind, type EmailReturnKind } from "#app/modules/email/rules.ts";
import { returnedEmailsMessages } from "./messages.ts";

/** Why the optional emails are off, if an email that came back switched them off. Null if the owner did, or if they are on. */
export function sayWhyOff(
  emailsOff: readonly EmailKind[],
  newestFirst: readonly { returned: EmailReturnKind | null }[],
): string | null {
  const isAllOff = emailKinds.every((kind) => emailsOff.includes(kind));
  const returned = newestFirst.find((email) => email.returned !== null)?.returned;
  return isAllOff && returned ? returnedEmailsMessages.en[returned] : null;
}
