import type { Messages } from "#app/core/messages.ts";
import { formatSpan } from "#app/core/time/time.ts";
import type { SensitiveAction } from "#app/core/sensitive-action.ts";
import type { EmailNames, EmailsOf, EmailTextFor } from "#app/modules/email/texts.rules.ts";
import { accountNoticeMessages } from "#app/modules/email/messages/endings.messages.ts";

type CodePurpose = "sign-up" | "sign-in" | "change-email" | "reauthentication";
type AccountEmail =
  /** Someone asked for a code. `action`: what a re-authentication is for. */
  | { template: "code"; purpose: CodePurpose; code: string; validMs: number; url: string; action?: SensitiveAction }
  /** Sign-up with an address that has an account; its code signs in. */
  | { template: "has-account"; code: string; validMs: number; url: string }
  /** Sign-in with an address that has no account; no code. */
  | { template: "no-account"; url: string }
  /** A change to an address that has an account; no code. */
  | { template: "address-wanted" }
  /** The address was changed; with the link that reverts it. To the old address; the new one is masked. */
  | { template: "address-changed"; to: string; url: string; until: string }
  /** A code was requested for a former address that is still reserved: the link that reverts the change. The new address is masked. */
  | { template: "address-held"; on: string; to: string; url: string; until: string }
  /** A change of address was reverted; to both addresses. `isCurrent`: to the one that works. */
  | { template: "address-reverted"; to: string; isCurrent: boolean }
  /** A passkey was added. */
  | { template: "passkey-added"; name: string }
  /** A passkey was removed. */
  | { template: "passkey-removed"; name: string }
  /** Other browsers were signed out. */
  | { template: "sessions-ended"; by: string; at: string }
  /** `wrongStreakMax` wrong codes in a row were typed; to the owner. */
  | { template: "hundred-wrong-codes"; wrongCodes: number; pauseMs: number };

declare module "#app/modules/email/templates.rules.ts" {
  interface Emails {
    accounts: AccountEmail;
  }
}

/** `button`: the link opens the page with the code filled in; that page's own button submits it. */
const codeTexts = {
  "sign-up": {
    heading: "Confirm your email address",
    lead: "Enter this code to confirm your email address:",
    button: "Confirm my email address",
  },
  "sign-in": { heading: "Sign in", lead: "Enter this code to sign in:", button: "Sign in" },
  "change-email": {
    heading: "Confirm your new email address",
    lead: "Enter this code to confirm your new email address:",
    button: "Confirm my new email address",
  },
  reauthentication: { heading: "Confirm it's you", lead: "Enter this code to confirm it's you:", button: "It's me" },
} as const;
const codeReason = {
  "sign-up": "someone asked to create an account with this email address",
  "sign-in": "someone asked to sign in with this email address",
  "change-email": "someone asked to use this email address for their account",
} as const;
/** What a re-authentication is for. */
const actionTexts: Record<SensitiveAction, string> = {
  "show-licence-key": "see your licence key",
  "replace-licence-key": "replace your licence key",
  "open-portal": "change how you pay",
  "change-plan": "change your plan",
  "change-email": "change your email address",
  "add-passkey": "add a passkey",
  "remove-passkey": "remove a passkey",
  "end-sessions": "sign out another browser",
  "close-account": "close your account",
  "download-data": "download your data",
};
const reasonOf = ({ purpose, action }: { purpose: keyof typeof codeTexts; action?: SensitiveAction }) =>
  purpose === "reauthentication"
    ? `someone who is signed in to your account wants to ${action ? actionTexts[action] : "see or change something important"}`
    : codeReason[purpose];

const notYouCode = "If that wasn't you, ignore this email: nothing happens without the code.";
const { yours, signOut, notYou } = accountNoticeMessages.en;
const codeRules = (validMs: number) =>
  `The code works once and expires after ${formatSpan(validMs)}. Never share it with anyone.`;
const asksFirst = "The link asks you to confirm before anything changes.";

const en: EmailTextFor<AccountEmail> = {
  code: (content, { product }) => ({
    subject: `${content.code} is your ${product} code`,
    heading: codeTexts[content.purpose].heading,
    before: [content.action ? `To ${actionTexts[content.action]}, enter this code:` : codeTexts[content.purpose].lead],
    code: content.code,
    button: { label: codeTexts[content.purpose].button, url: content.url },
    after: [codeRules(content.validMs)],
    reason: `You're receiving this email because ${reasonOf(content)}. ${content.purpose === "reauthentication" ? notYou : notYouCode}`,
  }),
  "has-account": (content, { product }) => ({
    subject: `${content.code} is your ${product} sign-in code`,
    heading: "You already have an account",
    before: ["This email address already has an account, so you don't need to sign up. Enter this code to sign in:"],
    code: content.code,
    button: { label: "Continue", url: content.url },
    after: [codeRules(content.validMs)],
    reason: `You're receiving this email because ${codeReason["sign-up"]}. ${notYouCode}`,
  }),
  "no-account": (content, { product }) => ({
    subject: `We couldn't find a ${product} account for this address`,
    heading: "We couldn't find an account",
    before: [
      `There's no ${product} account with this email address, so we couldn't send you a sign-in code.`,
      "Did you sign up with a different email address? Sign in with that one, or create an account:",
    ],
    button: { label: "Create an account", url: content.url },
    after: [],
    reason: `You're receiving this email because ${codeReason["sign-in"]}. If that wasn't you, ignore this email.`,
  }),
  "address-wanted": (_content, { product }) => ({
    subject: `This email address already has a ${product} account`,
    heading: "This email address already has an account",
    before: [
      "Someone asked to use this email address for another account. It already belongs to an account, so we haven't sent a code and nothing has changed.",
    ],
    after: [
      "If that was you, sign in with this address to open the account it belongs to. To free the address for your other account, change it there, or close the account and wait until it's erased.",
    ],
    reason:
      "You're receiving this email because someone asked to use this email address for another account. If that wasn't you, ignore this email.",
  }),
  "address-changed": (content, { product }) => ({
    subject: `The email address of your ${product} account was changed`,
    heading: "Your account has a new email address",
    before: [
      `Sign-in codes and emails now go to ${content.to}. You can no longer sign in with the address we sent this email to.`,
      `If you didn't make this change, or you've changed your mind, you can undo it until ${content.until}:`,
    ],
    button: { label: "Undo the change", url: content.url },
    after: [`${asksFirst} If you made the change, there's nothing you need to do.`],
    reason: "You're receiving this email because this was your account's email address until now.",
  }),
  "address-held": (content, { product }) => ({
    subject: `Your ${product} account has a different email address`,
    heading: "Your account has a different email address",
    before: [
      `The account that used this address changed to ${content.to} on ${content.on}, and codes go there. That's why there's no code in this email.`,
      `If you didn't make this change, or you've changed your mind, you can undo it until ${content.until}:`,
    ],
    button: { label: "Undo the change", url: content.url },
    after: [asksFirst, "While the change can be undone, no other account can use this address."],
    reason:
      "You're receiving this email because someone asked for a code with this email address. If you made the change, ignore this email.",
  }),
  "address-reverted": (content, { product }) => ({
    subject: `The change of your ${product} email address was undone`,
    heading: "The change of email address was undone",
    before: [
      `The link we sent to the account's previous email address was used. Your account is using ${content.isCurrent ? "this address" : content.to} again, and ${content.isCurrent ? "the newer one" : "the address we sent this email to"} no longer works.`,
      "All browsers were signed out. Passkeys added shortly before the change, or since then, were removed.",
    ],
    after: ["If you didn't expect this, contact us."],
    reason: `You're receiving this email because this address ${content.isCurrent ? "belongs to the account" : "belonged to the account until now"}.`,
  }),
  "passkey-added": (content, { product }) => ({
    subject: `A passkey was added to your ${product} account`,
    heading: "Passkey added",
    before: [`You can now sign in to your account with the passkey “${content.name}”, without an email code.`],
    after: [`If you didn't add it, sign in, remove it, ${signOut}`],
    reason: yours,
  }),
  "passkey-removed": (content, { product }) => ({
    subject: `A passkey was removed from your ${product} account`,
    heading: "Passkey removed",
    before: [`You can no longer sign in to your account with the passkey “${content.name}”. Email codes still work.`],
    after: [notYou],
    reason: yours,
  }),
  "sessions-ended": (content, { product }) => ({
    subject: `Other browsers were signed out of your ${product} account`,
    heading: "Other browsers were signed out",
    before: [`On ${content.at}, ${content.by} was used to sign other browsers out of your account.`],
    after: [notYou],
    reason: yours,
  }),
  "hundred-wrong-codes": (content, { product }) => ({
    subject: `Too many wrong codes for your ${product} account`,
    heading: "Too many wrong codes",
    before: [
      `Someone entered ${content.wrongCodes} wrong codes in a row for your email address. None of them worked.`,
      `For ${formatSpan(content.pauseMs)}, we'll only send codes to browsers that have signed in to your account before.`,
    ],
    after: ["There's nothing you need to do. If you see sign-ins you don't recognise, contact us."],
    reason: yours,
  }),
};

const names: EmailNames<AccountEmail> = {
  code: "Sign-in code",
  "has-account": "Sign-in code",
  "no-account": "No account for this address",
  "address-wanted": "This address already has an account",
  "address-changed": "Email address changed",
  "address-held": "Link to undo an address change",
  "address-reverted": "Address change undone",
  "passkey-added": "Passkey added",
  "passkey-removed": "Passkey removed",
  "sessions-ended": "Browser signed out",
  "hundred-wrong-codes": "Too many wrong codes",
};

export const accountEmails: EmailsOf<AccountEmail> = { en };
export const accountEmailNames: Messages<EmailNames<AccountEmail>> = { en: names };
