import { formatSpan } from "#app/core/time/time.ts";
import { revertLifeMs } from "#app/modules/accounts/address-change.rules.ts";
import { codeDigits } from "#app/modules/accounts/codes/digits.rules.ts";
import { quotaWindowMs } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { codeLifeMs, triesPerCodeMax, triesPerHourMax } from "#app/modules/accounts/codes/rules.ts";
import type { Messages } from "#app/core/messages.ts";
import type { SensitiveAction } from "#app/core/sensitive-action.ts";

const resend = "Send a new code";
const expired = "This code has expired. Get a new one to continue.";
const exhausted = `You've entered ${triesPerCodeMax} wrong codes, so the code we emailed no longer works. Get a new one to continue.`;
const tooMany = `${triesPerHourMax} wrong codes were entered within ${formatSpan(quotaWindowMs)}`;

const en = {
  title: {
    "sign-up": "Confirm your email address",
    "sign-in": "Sign in",
    "change-email": "Confirm your new email address",
    reauthentication: "Confirm it's you",
  },
  lead: {
    "sign-up": (address: string) => `Enter the code we've emailed to ${address}.`,
    "sign-in": (address: string) => `If ${address} has an account, we've emailed a code there.`,
    "change-email": (address: string) =>
      `Enter the code we've emailed to ${address}. If that address can't be used, the email says why instead.`,
    reauthentication: (address: string) => `Enter the code we've emailed to ${address}.`,
  },
  /** Used when the email's link has filled in the code. */
  leadFilledIn: (submit: string) => `The code from our email is filled in. Choose “${submit}” to continue.`,
  leadOver: {
    "sign-up": (address: string) => `We've emailed a code to ${address}.`,
    "sign-in": (address: string) => `If ${address} has an account, we've emailed a code there.`,
    "change-email": (address: string) => `We've sent an email to ${address}.`,
    reauthentication: (address: string) => `We've emailed a code to ${address}.`,
  },
  heldUp: {
    late: {
      lead: (address: string) => `The email to ${address} is waiting to be sent.`,
      title: "Our email is delayed",
      text: `We'll send it automatically as soon as we can. A code is valid for ${formatSpan(codeLifeMs)} from then. You don't have to ask again, and you can leave this page open.`,
      resend: "Try sending it now",
    },
    failed: {
      lead: (address: string) => `The email to ${address} wasn't sent.`,
      title: "We couldn't send your email",
      text: "We tried for several hours. Send a new code, or use another address.",
      resend,
    },
    none: {
      lead: () => "Confirm with a passkey instead.",
      title: "We didn't send an email this time",
      text: "We've sent as many emails as we can for now. Use a passkey now, or ask for a code later.",
      resend: "Send a code",
    },
    lapsed: {
      lead: () => "This page has expired.",
      title: `This page has been open for more than ${formatSpan(codeLifeMs)}`,
      text: "Go back and start again, or ask for a code.",
      resend: "Send a code",
    },
  },
  code: "Code",
  codeHint: `${codeDigits} digits`,
  /** For browsers with scripts, which submit the code. */
  codeHintComplete: ". We check the code as soon as it's complete.",
  submit: { "sign-up": "Confirm", "sign-in": "Sign in", "change-email": "Confirm", reauthentication: "Confirm" },
  pending: "Checking",
  passkey: "Use a passkey instead",
  passkeyAlone: "Use a passkey",
  noPasskeys: "This browser can't use passkeys, or JavaScript is turned off. You can ask for a code later.",
  asking: "Waiting for your passkey",
  /** Whole minutes until the last one: a ticking clock makes people nervous. */
  timeLeft: (seconds: number) =>
    seconds > 60
      ? `The code is valid for ${Math.ceil(seconds / 60)} minutes.`
      : `The code expires in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
  over: {
    "code-expired": expired,
    "code-exhausted": exhausted,
    "code-superseded": "We've sent a newer code. Use the one in our latest email.",
  },
  triesLeft: (count: number) => (count === 1 ? "1 attempt left" : `${count} attempts left`),
  /** In a local run. */
  mailbox: "Open this machine's mailbox",
  noEmail: "Didn't get it?",
  noEmailHint: (sender: string) => `Check your spam folder for an email from ${sender}.`,
  resend,
  resendIn: (seconds: number) => `Send a new code in ${seconds} s`,
  change: "Use another address",
  cancel: "Cancel",
  support: "Contact us",
  used: {
    title: "This code has already been used",
    lead: "You're already signed in.",
    leadSignedOut: "You don't have to enter it again.",
    account: "Go to your account",
    signIn: "Sign in",
  },
  shut: {
    title: (address: string) => `Codes for ${address} are paused`,
    "too-many-tries": `${tooMany}, so we won't send another for now.`,
    paused:
      "Too many wrong codes were entered in a row, so we won't send another for now. Browsers you've signed in with before aren't affected.",
    until: (wait: string) => `You can ask for a code in ${wait}.`,
    over: "You can ask for a code now. Reload the page.",
    otherWays: "Use a passkey or another address",
  },
  elsewhere: {
    title: "You started in another browser",
    lead: "Enter this code there:",
    stays: "It only works in the browser that's signed in. Opening this page changes nothing.",
    leadWithoutCode: "Go back to the browser where you asked for the code, and enter it there.",
    instead: {
      "sign-in": "Or sign in here instead. We'll send a new code for this browser.",
      "sign-up": "Or continue here instead: agree to the terms, and we'll send a new code for this browser.",
    },
    continueHere: (address: string) => `Continue here with ${address}`,
    signedUp: { or: "You can sign in here too.", button: "Sign in here" },
  },
  noCookie: {
    title: "Your browser didn't keep our cookie",
    lead: "We recognise the browser that asked for the code by a cookie, and this browser sent none. Allow cookies for this site, then ask for a new code.",
    elsewhere: "If you asked for the code in another browser, enter it there.",
    again: "Start again",
  },
  problems: {
    "wrong-code": (left: number) =>
      `That's not the right code. You can try ${left === 1 ? "once more" : `${left} more times`}.`,
    "code-expired": expired,
    "code-exhausted": exhausted,
    "code-used": "This code has already been used. Ask for a new one if you need it.",
    "code-superseded": "We've sent a newer code. Use the one in our latest email.",
    "no-request": "This page has been open too long. Start again.",
    "too-many-tries": (wait: string) => `${tooMany}. You can try again in ${wait}.`,
    paused: (wait: string) =>
      `Too many wrong codes were entered for this address. You can try again in ${wait}. Browsers you've signed in with before aren't affected.`,
    "address-taken": "This address now belongs to another account. Use another address.",
    "address-held": `This address belonged to an account until recently, so you can't create another account with it for ${formatSpan(revertLifeMs)} after that. To undo that change, use the link in our email about it. Otherwise, use another address.`,
    "by-invitation":
      "New accounts are now by invitation only, so this code can't create one. The sign-up page says how to get an invitation.",
    "invitation-over":
      "Your invitation expired after you asked for this code, so you can't create an account with it. You keep your place in the queue; the link to it is in our emails.",
    "account-not-here": "In this browser, sign in to the account that asked for this code, then start again.",
    "asked-elsewhere": "You can't finish this here. Go back to the browser where you started.",
    "same-address": "Your account already uses this address.",
    "code-missing": "Enter the code from the email.",
    "code-malformed": `Enter all ${codeDigits} digits of the code.`,
  },
};

export type VerifyTexts = typeof en;
export const verifyMessages: Messages<VerifyTexts> = { en };

/** What a re-authentication is for. The server chooses the sentence. */
const sensitiveActionsTexts = {
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

export const sensitiveActionsMessages: Messages<typeof sensitiveActionsTexts> = { en: sensitiveActionsTexts };

/** Why the email service doesn't send the email. Rare, so the server chooses the text. */
const refusedEmailTexts = {
  "quota-exhausted": {
    lead: (address: string) => `The email to ${address} can't be sent yet.`,
    title: "We've sent as many emails as we can for now",
    text: "Our email service has a limit, and it's used up. Once it's reset, we'll send codes first, automatically. You can leave this page open, or come back later.",
    textUntil: (wait: string) =>
      `Our email service has a limit, and it's used up. It'll be reset in ${wait}. Then we'll send codes first, automatically. You can leave this page open, or come back then.`,
  },
  "address-refused": {
    lead: (address: string) => `The email to ${address} wasn't delivered.`,
    title: "Your email provider refused our email",
    text: "Check the address for a mistake, or use another one. If it's right, ask your email provider to accept our emails.",
  },
};

export const refusedEmailMessages: Messages<typeof refusedEmailTexts> = { en: refusedEmailTexts };

/** Shown when the link's code is no longer valid and the browser isn't the one that asked for it. The server chooses the text. */
const invalidCodeTexts = {
  "code-used": {
    title: "This code has already been used",
    lead: "It was used in the browser where you asked for it.",
  },
  "code-expired": {
    title: "This code has expired",
    lead: "Ask for a new one in the browser where you started.",
  },
  "code-exhausted": {
    title: "This code no longer works",
    lead: `${triesPerCodeMax} wrong codes were entered. Ask for a new one in the browser where you started.`,
  },
  "code-superseded": {
    title: "This code no longer works",
    lead: "We've sent a newer one. Use the code in our latest email.",
  },
};

export const invalidCodeMessages: Messages<typeof invalidCodeTexts> = { en: invalidCodeTexts };

const verifyRevertTexts = {
  title: "Undo the change of email address",
  lead: (address: string) =>
    `Your account will use its old address again: ${address}. To make sure that no one else stays signed in:`,
  does: {
    signsOut: "Every browser signed in to the account is signed out, including yours.",
    passkeys: {
      before: "Passkeys added since ",
      after: " are removed, in case someone else added one. Older passkeys stay, and you can add yours again.",
    },
    later: "If the address has been changed again since then, that's undone too.",
  },
  signIn: "You can then sign in with a code sent to the old address.",
  submit: "Undo the change",
  pending: "Undoing",
  over: {
    "link-unknown": {
      title: "We don't recognise this link",
      lead: "Part of it may be missing. Open it again from the email.",
    },
    "link-used": {
      title: "This change has already been undone",
      lead: "Your old address is back and every browser was signed out. Sign in with a code sent to that address.",
    },
    "link-overtaken": {
      title: "An earlier change was undone",
      lead: "This one was undone with it: the account has the address it had before both changes.",
    },
    "link-expired": {
      title: "This link has expired",
      lead: `It worked for ${formatSpan(revertLifeMs)}. The account keeps its new address. If you didn't change it, contact us.`,
    },
    "address-taken": {
      title: "The old address now belongs to another account",
      lead: "An address can only belong to one account, so you can't undo this change here. Contact us.",
    },
  },
  toSignIn: "Sign in",
  support: "Contact us",
};

export const verifyRevertMessages: Messages<typeof verifyRevertTexts> = { en: verifyRevertTexts };
