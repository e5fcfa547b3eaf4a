import type { Messages } from "#app/core/messages.ts";
import { dataLines } from "#app/modules/catalogue/data-sentence.rules.ts";
import { accountNoticeMessages } from "#app/modules/email/messages/endings.messages.ts";
import type { EmailNames, EmailsOf, EmailTextFor } from "#app/modules/email/texts.rules.ts";
import type { WayOut } from "#app/modules/billing/orders/emails.messages.ts";
import type { Shrinking } from "#app/modules/billing/subscriptions/emails.messages.ts";

type ClosingEmail =
  /** The account was closed. */
  | ({ template: "account-closed"; until: string; hasOpenWithdrawal: boolean; url: string } & Ended & Partial<WayOut>)
  /** The account was restored. */
  | ({ template: "restored"; url: string } & Ended & Shrinking)
  /** The account was erased. */
  | { template: "account-erased" }
  /** The data export was downloaded; once per re-authentication. */
  | { template: "data-downloaded"; device: string };

/** `plan`: what ended when the account was closed. */
type Ended = { plan: string | null };

declare module "#app/modules/email/templates.rules.ts" {
  interface Emails {
    closing: ClosingEmail;
  }
}

const { yours, signOut, notYou } = accountNoticeMessages.en;
const ended = (plan: string) => `Your ${plan} plan has ended. Restoring your account doesn't restart it.`;
const wayOut = ({ withdrawUntil, withdrawUrl }: { withdrawUntil?: string | null; withdrawUrl?: string | null }) =>
  withdrawUntil && withdrawUrl
    ? {
        label: `Until ${withdrawUntil}, you can withdraw from the contract and get your money back`,
        url: withdrawUrl,
      }
    : undefined;

const en: EmailTextFor<ClosingEmail> = {
  "account-closed": (content, { product, dataWhenClosed }) => ({
    subject: `Your ${product} account is closed`,
    heading: "Your account is closed",
    before: [
      `Until ${content.until}, you can sign in to restore your account or download your data. After that, we'll erase it${content.hasOpenWithdrawal ? ", once we've settled your withdrawal from the contract" : ""}.`,
      ...(dataWhenClosed ? [dataWhenClosed] : []),
      ...(content.plan ? [`${ended(content.plan)} There's nothing more to pay.`] : []),
    ],
    button: { label: "Restore my account", url: content.url },
    more: wayOut(content),
    after: [`If that wasn't you, restore your account, ${signOut}`],
    reason: yours,
  }),
  restored: (content, { product, dataWhenSmaller }) => ({
    subject: `Your ${product} account is restored`,
    heading: "Your account is restored",
    before: [
      `Nothing was erased. ${content.plan ? `Your ${content.plan} plan ended when you closed the account.` : "A paid plan ends when an account is closed."} You can choose a plan again at any time.`,
      ...dataLines(dataWhenSmaller, content),
    ],
    button: { label: "Open my account", url: content.url },
    after: [notYou],
    reason: yours,
  }),
  "account-erased": (_content, { product }) => ({
    subject: `Your ${product} account is erased`,
    heading: "Your account is erased",
    before: [
      "We've erased your account and its data, as you asked. The law requires us to keep records of orders; they no longer contain your name or address.",
    ],
    after: ["You can use this email address to sign up again at any time."],
    reason: "You're receiving this email because this was your account's email address. It's the last one.",
  }),
  "data-downloaded": (content, { product }) => ({
    subject: `Your ${product} data was downloaded`,
    heading: "Your data was downloaded",
    before: [`A copy of the data in your account was downloaded in ${content.device}.`],
    after: [notYou],
    reason: yours,
  }),
};

const names: EmailNames<ClosingEmail> = {
  "account-closed": "Account closed",
  restored: "Account restored",
  "account-erased": "Account erased",
  "data-downloaded": "Data downloaded",
};

export const closingEmails: EmailsOf<ClosingEmail> = { en };
export const closingEmailNames: Messages<EmailNames<ClosingEmail>> = { en: names };
