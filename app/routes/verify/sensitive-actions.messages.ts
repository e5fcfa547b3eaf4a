import type { SensitiveAction } from "#app/core/sensitive-action.ts";
import type { Messages } from "#app/core/messages.ts";

/** What a re-authentication is for. The server chooses the sentence. */
const en = {
  "show-licence-key": (address) => `To see your licence key, enter the code we've emailed to ${address}.`,
  "replace-licence-key": (address) => `To replace your licence key, enter the code we've emailed to ${address}.`,
  "open-portal": (address) => `To change how you pay, enter the code we've emailed to ${address}.`,
  "change-plan": (address) => `To change your plan, enter the code we've emailed to ${address}.`,
  "change-email": (address) => `To change your email address, enter the code we've emailed to ${address}.`,
  "add-passkey": (address) => `To add a passkey, enter the code we've emailed to ${address}.`,
  "remove-passkey": (address) => `To remove a passkey, enter the code we've emailed to ${address}.`,
  "end-sessions": (address) => `To sign out another browser, enter the code we've emailed to ${address}.`,
  "close-account": (address) => `To close your account, enter the code we've emailed to ${address}.`,
  "download-data": (address) => `To download your data, enter the code we've emailed to ${address}.`,
} satisfies Record<SensitiveAction, (address: string) => string>;

export const sensitiveActionsMessages: Messages<typeof en> = { en };
