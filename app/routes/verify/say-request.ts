import { elsewhereOverMessages } from "./elsewhere-over.messages.ts";
import { refusedEmailMessages } from "./refused-email.messages.ts";
import { sensitiveActionsMessages } from "./sensitive-actions.messages.ts";
import type { ShownRequest } from "./show-request.server.ts";

type Here = Extract<ShownRequest, { kind: "here" }>;
type Elsewhere = Extract<ShownRequest, { kind: "elsewhere" }>;

/** With what a re-authentication is for, and why the email isn't sent. */
export function sayHere(shown: Here) {
  const { action, address, delivery } = shown;
  return {
    ...shown,
    actionLead: action && sensitiveActionsMessages.en[action](address),
    refusedEmail:
      delivery === "quota-exhausted" || delivery === "address-refused" ? sayRefused(delivery, address) : null,
  };
}

function sayRefused(reason: keyof typeof refusedEmailMessages.en, address: string) {
  const { lead, title, text } = refusedEmailMessages.en[reason];
  return { lead: lead(address), title, text };
}

/** With why the code of another browser is no longer valid. */
export function sayElsewhere(shown: Elsewhere) {
  const { over } = shown;
  return { ...shown, over: over && { reason: over, ...elsewhereOverMessages.en[over] } };
}
