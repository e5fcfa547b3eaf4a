import { formatSpan } from "#app/core/time/time.ts";
import type { SensitiveAction } from "#app/core/sensitive-action.ts";
import type { AccountEmail } from "../templates.rules.ts";
import type { EmailsOf, EmailTextFor } from "../texts.rules.ts";
import { accountNoticeMessages } from "./account-notice.messages.ts";
import { closingEmails } from "./closing-emails.messages.ts";

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
  ...closingEmails.en,
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
  "licence-key-rotated": (_content, { product }) => ({
    subject: `Your ${product} licence key was replaced`,
    heading: "Licence key replaced",
    before: [
      "Your account has a new licence key, and the old one no longer works. Devices you've already activated aren't affected.",
      "You'll find the new key in your account. We never send keys by email.",
    ],
    after: [notYou],
    reason: yours,
  }),
  "licence-key-shown": (content, { product }) => ({
    subject: `Your ${product} licence key was shown`,
    heading: "Your licence key was shown",
    before: [
      `Your licence key was shown in ${content.device}. Anyone with the key can add devices to your plan, so replace it in your account if someone else has seen it.`,
    ],
    after: ["If it was you, there's nothing you need to do.", notYou],
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
  "data-downloaded": (content, { product }) => ({
    subject: `Your ${product} data was downloaded`,
    heading: "Your data was downloaded",
    before: [`A copy of the data in your account was downloaded in ${content.device}.`],
    after: [notYou],
    reason: yours,
  }),
};

export const accountEmails: EmailsOf<AccountEmail> = { en };
