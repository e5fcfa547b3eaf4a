import { formatSpan } from "#app/core/time/time.ts";
import { revertLifeMs } from "#app/modules/accounts/address-change.rules.ts";
import type { Messages } from "#app/core/messages.ts";

/** The one message after an action, by the word in its cookie. The server chooses it, so that the browser loads none of them. */
const en = {
  "signed-out": "You've signed out.",
  "profile-saved": "Saved.",
  "mails-saved": "Saved.",
  "appearance-saved": "Saved for this browser.",
  "plan-cancelled": "Plan cancelled.",
  "plan-ended": "Your plan has ended. There's nothing more to pay.",
  "reason-given": "Thanks for telling us.",
  "plan-resumed": "Cancellation undone.",
  "change-undone": "Change cancelled. Your plan stays the same.",
  "purchase-given-up": "Cancelled. Nothing was charged.",
  "change-given-up": "Change cancelled. Your plan stays the same, and nothing was charged.",
  "change-planned": "Plan change scheduled. You can undo it here until it starts.",
  "code-sent": "We've sent a new code.",
  confirmed: "Thanks, that's confirmed. Now choose the same button again.",
  "session-ended": "That browser has been signed out.",
  "other-sessions-ended": "All other browsers have been signed out.",
  "passkey-added": "Passkey added. You can use it to sign in.",
  "passkey-removed": "Passkey removed.",
  "address-changed": `Your email address has been changed, and all other browsers were signed out. We've emailed your old address a link that undoes this for ${formatSpan(revertLifeMs)}.`,
  "address-reverted": "Your old address is back, and every browser has been signed out. Sign in with your old address.",
  "account-closed": "You're signed out in all other browsers.",
  restored: "Your account has been restored.",
  welcome: "Welcome. Your email address is confirmed.",
};

/** The core's words. A feature adds its own in its folder (`declare module`); their texts are in its messages. */
export interface Flashes extends Record<keyof typeof en, string> {}

export type FlashName = keyof Flashes;

export const flashMessages: Messages<typeof en> = { en };
