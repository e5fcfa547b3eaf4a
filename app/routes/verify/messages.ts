import type { Messages } from "#app/core/messages.ts";

const en = {
  title: {
    "sign-up": "Confirm your address",
    "sign-in": "Sign in",
    "change-email": "Confirm your new address",
    "fresh-proof": "Confirm that it is you",
  },
  lead: {
    "sign-up": (address: string) => `We sent a mail to ${address}. Type the eight digits that it holds.`,
    "sign-in": (address: string) => `We sent a mail to ${address}. If it holds a code, type it here.`,
    "change-email": (address: string) => `We sent a mail to ${address}. If it holds a code, type it here.`,
    "fresh-proof": (address: string) => `We sent a mail to ${address}. Type the eight digits that it holds.`,
  },
  leadOver: (address: string) => `We sent a code to ${address}.`,
  heldUp: {
    late: {
      lead: (address: string) => `The mail to ${address} is waiting to be sent.`,
      title: "Our mail is slow at the moment",
      text: "Your mail goes out by itself as soon as it can, and a code in it counts from then, for ten minutes. You need not ask again, and you can leave this page open.",
      resend: "Try to send it now",
    },
    failed: {
      lead: (address: string) => `The mail to ${address} did not go out.`,
      title: "Your mail could not be sent",
      text: "We tried for hours and then gave up. Ask for another code, or use another address.",
      resend: "Send another code",
      resendNew: "Send a new code",
    },
    none: {
      lead: () => "A passkey confirms it.",
      title: "This time no mail was sent",
      text: "There is a limit to how many mails we send within an hour, and it is reached. A passkey needs no mail; you can ask for a code later.",
      resend: "Send a code",
    },
    lapsed: {
      lead: () => "This can't be confirmed any more.",
      title: "This page has been open for more than ten minutes",
      text: "Go back to what you were about to do and begin again, or ask for a code.",
      resend: "Send a code",
    },
  },
  code: "Code",
  codeHint: "Eight digits; spaces don't matter.",
  submit: { "sign-up": "Confirm", "sign-in": "Sign in", "change-email": "Confirm", "fresh-proof": "Confirm" },
  pending: "Checking",
  passkey: "Use a passkey instead",
  passkeyAlone: "Use a passkey",
  noPasskeys: "This browser can't use passkeys, or its JavaScript is switched off. You can ask for a code later.",
  asking: "Waiting for your passkey",
  timeLeft: (seconds: number) =>
    `Valid for another ${seconds < 60 ? "" : `${Math.floor(seconds / 60)} min `}${seconds % 60} s`,
  over: {
    "code-expired": "This code is no longer valid. Ask for a new one.",
    "code-exhausted": "Five wrong tries: this code no longer works. Ask for a new one.",
    "code-superseded": "We sent a newer code. Use the one in the latest mail.",
  },
  triesLeft: (count: number) => (count === 1 ? "One try left" : `${count} tries left`),
  noMail: "No mail?",
  noMailHint: (sender: string) => `It comes from ${sender}. Look in the spam folder, too.`,
  resend: "Send another code",
  resendNew: "Send a new code",
  resendIn: (seconds: number) => `You can ask for another code in ${seconds} s.`,
  change: "Use another address",
  support: "Write to us",
  used: {
    title: "This code has already been used",
    lead: "What it was for is done, and you are signed in. There is nothing more to type.",
    leadSignedOut: "What it was for is done. There is nothing more to type.",
    account: "Go to your account",
    signIn: "Sign in",
  },
  shut: {
    title: (address: string) => `No code for ${address} works at the moment`,
    "too-many-tries": "Ten wrong ones were typed within an hour. We send none until you may try again.",
    paused:
      "Too many wrong ones were typed in a row. We send none until the pause is over. Browsers that signed in before are not affected.",
    until: (wait: string) => `You can ask for a code in ${wait}.`,
    over: "You can ask for a code now. Load the page again.",
    otherWays: "Use a passkey or another address",
  },
  elsewhere: {
    title: "You asked in another browser",
    lead: "Type this code there:",
    stays: "It works only there, in the browser that is signed in. Nothing changes by opening this page.",
    leadWithoutCode: "Go back to the browser in which you asked for the code, and type it there.",
    instead: {
      "sign-in": "Or go on here instead. We send a new code for this browser.",
      "sign-up": "Or go on here instead: agree to the terms yourself, and we send a new code for this browser.",
    },
    continueHere: (address: string) => `Continue here with ${address}`,
    signedUp: { or: "There is an account now. You can sign in to it here, too.", button: "Sign in here" },
    over: {
      "code-used": {
        title: "This code has already been used",
        lead: "What it was for is done, in the browser in which you asked.",
      },
      "code-expired": {
        title: "This code is older than ten minutes",
        lead: "It does nothing any more. Ask for a new one in the browser in which you asked for it.",
      },
      "code-exhausted": {
        title: "This code no longer works",
        lead: "There were five wrong tries. Ask for a new one in the browser in which you asked for it.",
      },
      "code-superseded": {
        title: "This code no longer works",
        lead: "We sent a newer one. Use the one in the latest mail.",
      },
    },
  },
  problems: {
    "wrong-code": (left: number) => `That is not the code. ${left === 1 ? "One try is" : `${left} tries are`} left.`,
    "code-expired": "This code is older than ten minutes. Ask for a new one.",
    "code-exhausted": "Five wrong tries: this code no longer works. Ask for a new one.",
    "code-used": "This code has already been used. Ask for a new one if you need it.",
    "code-superseded": "We sent a newer code. Use the one in the latest mail.",
    "no-request": "This page has been open too long. Start again.",
    "too-many-tries": (wait: string) => `Ten wrong tries within an hour. You can try again in ${wait}.`,
    paused: (wait: string) =>
      `There were too many wrong codes for this address. You can try again in ${wait}. Browsers that signed in before are not affected.`,
    "address-taken": "Since then this address has got an account of its own. Use another address.",
    "address-held":
      "This address belonged to an account until recently, and can't open another one for seven days. Our mail about that change has a link that takes it back. Or use another address.",
    "by-invitation":
      "New accounts are by invitation now. This code opens none; join the waitlist, and we write as soon as there is room.",
    "invitation-over":
      "Your invitation has run out since you asked for this code, so it opens no account. Your page on the waitlist says how things stand; the link to it is in our mails.",
    "account-not-here": "Sign in here to the account that asked for this code, and begin again.",
    "asked-elsewhere": "This can't go on here. Go back to the browser in which you asked.",
    "same-address": "Your account already has this address.",
    "code-missing": "Type the eight digits from the mail.",
    "code-malformed": "The code has eight digits.",
  },
};

export type VerifyTexts = typeof en;
export const verifyMessages: Messages<VerifyTexts> = { en };
