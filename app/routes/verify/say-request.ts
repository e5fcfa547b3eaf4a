import { refusalMessages } from "#app/http/forms/form-refusal.messages.ts";
import { secondsUntil } from "#app/core/time/time.ts";
import { sensitiveActionsMessages, refusedEmailMessages, invalidCodeMessages } from "./messages.ts";
import type { ShownRequest } from "./show-request.server.ts";

type Here = Extract<ShownRequest, { kind: "here" }>;
type Elsewhere = Extract<ShownRequest, { kind: "elsewhere" }>;

/** Adds what a re-authentication is for, and why the email isn't sent. */
export function sayHere(shown: Here, now: number) {
  const { action, address, delivery, quotaUntil } = shown;
  return {
    ...shown,
    actionLead: action && sensitiveActionsMessages.en[action](address),
    refusedEmail:
      delivery === "quota-exhausted" || delivery === "address-refused"
        ? sayRefused(delivery, address, secondsUntil(quotaUntil ?? now, now))
        : null,
  };
}

/** `seconds` is how long until the quota is reset; 0 if that isn't known, or if it should be reset by now. */
function sayRefused(reason: keyof typeof refusedEmailMessages.en, address: string, seconds: number) {
  const { lead, title, text } = refusedEmailMessages.en[reason];
  const message = { lead: lead(address), title, text };
  if (reason === "address-refused" || seconds === 0) return message;
  return { ...message, text: refusedEmailMessages.en[reason].textUntil(refusalMessages.en.wait(seconds)) };
}

/** Adds why the code of another browser is no longer valid. */
export function sayElsewhere(shown: Elsewhere) {
  const { over } = shown;
  return { ...shown, over: over && { reason: over, ...invalidCodeMessages.en[over] } };
}
