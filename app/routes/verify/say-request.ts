import { elsewhereOverMessages } from "./elsewhere-over.messages.ts";
import { sensitiveActionsMessages } from "./sensitive-actions.messages.ts";
import type { ShownRequest } from "./show-request.server.ts";

type Here = Extract<ShownRequest, { kind: "here" }>;
type Elsewhere = Extract<ShownRequest, { kind: "elsewhere" }>;

/** With what a re-authentication is for. */
export function sayHere(shown: Here) {
  const { action, address } = shown;
  return { ...shown, actionLead: action && sensitiveActionsMessages.en[action](address) };
}

/** With why the code of another browser is no longer valid. */
export function sayElsewhere(shown: Elsewhere) {
  const { over } = shown;
  return { ...shown, over: over && { reason: over, ...elsewhereOverMessages.en[over] } };
}
