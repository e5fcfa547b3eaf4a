import type { Messages } from "#app/core/messages.ts";
import { formatSpan } from "#app/core/time/time.ts";
import { quotaWindowMs } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { type SendRefusal, triesPerHourMax } from "#app/modules/accounts/codes/rules.ts";

/** For a used-up quota. The server chooses the text (refuse-until.ts), so that pages don't load what they rarely say. */
const en = {
  "too-soon": (wait: string) =>
    `We've just emailed this address: use the newest email, in the browser where you asked for it. You can ask for another one in ${wait}.`,
  "too-many-emails": (wait: string) =>
    `We've sent as many emails to this address as we can for now. You can ask for another in ${wait}.`,
  "too-many-from-network": (wait: string) => `Too many requests have come from your network. Try again in ${wait}.`,
  "too-many-from-site": (wait: string) =>
    `We've sent as many emails as we can for now. Try again in ${wait}. Passkeys and browsers you've signed in with before aren't affected.`,
  "challenge-wanted": (wait: string) =>
    `Without JavaScript we can't check that you're a person, so we send fewer emails. You can ask again in ${wait}.`,
  "too-many-tries": (wait: string) =>
    `${triesPerHourMax} wrong codes were entered for this address within ${formatSpan(quotaWindowMs)}. You can ask for a new one in ${wait}. Passkeys aren't affected.`,
  paused: (wait: string) =>
    `Too many wrong codes were entered for this address. You can ask for a new one in ${wait}. Browsers you've signed in with before aren't affected.`,
} satisfies Record<SendRefusal["reason"], (wait: string) => string>;

export const quotaRefusalMessages: Messages<typeof en> = { en };
