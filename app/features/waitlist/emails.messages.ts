import type { Messages } from "#app/core/messages.ts";
import { formatSpan } from "#app/core/time/time.ts";
import type { EmailNames, EmailsOf, EmailTextFor } from "#app/modules/email/texts.rules.ts";

export type WaitlistEmail =
  /** Someone joined the waitlist; with the link that confirms it. */
  | { template: "waitlist-confirm"; url: string; what: string; validMs: number }
  /** Someone joined with an address that is on the waitlist already. */
  | { template: "waitlist-place"; url: string; what: string }
  /** The entry was invited. */
  | { template: "waitlist-invited"; url: string; what: string; until: string; missesMax: number }
  /** `reminderBeforeMs` before the invitation expires, unless a payment is in process. */
  | { template: "waitlist-reminder"; url: string; what: string; until: string }
  /** The account exists, or the plan is paid. */
  | { template: "waitlist-joined"; url: string; what: string }
  /** There is no gate any more, and the entry was still waiting; once. */
  | { template: "doors-open"; url: string; what: string };

declare module "#app/modules/email/templates.rules.ts" {
  interface Emails {
    waitlist: WaitlistEmail;
  }
}

const joined =
  "You're receiving this email because someone asked to join the waitlist with this email address. If that wasn't you, ignore this email.";
const requested =
  "You're receiving this email because someone joined the waitlist with this email address, or asked for this link. If that wasn't you, ignore this email.";
const waiting = "You're receiving this email because you joined the waitlist with this email address.";
const last = `${waiting} It's the last one about the waitlist.`;

const en: EmailTextFor<WaitlistEmail> = {
  "waitlist-confirm": (content, { product }) => ({
    subject: `Confirm your place on the ${product} waitlist`,
    heading: "Confirm your place",
    before: [`You asked to join the waitlist for ${content.what}. Confirm your email address to get your place:`],
    button: { label: "Confirm my place", url: content.url },
    after: [`The link works for ${formatSpan(content.validMs)}, in any browser.`],
    reason: joined,
  }),
  "waitlist-place": (content, { product }) => ({
    subject: `Your place on the ${product} waitlist`,
    heading: "Here's the link to your place",
    before: [`This email address is on the waitlist for ${content.what}. This page shows your place:`],
    button: { label: "See my place", url: content.url },
    after: ["Anyone with this link can manage your place, so keep it private."],
    reason: requested,
  }),
  "waitlist-invited": (content, { product }) => ({
    subject: `It's your turn on the ${product} waitlist`,
    heading: "It's your turn",
    before: [`You're invited to ${content.what}. Accept by ${content.until}:`],
    button: { label: "See my invitation", url: content.url },
    after: [
      `If you don't accept in time, we'll invite the next person in line and you keep your place. After ${content.missesMax} missed invitations, your place is on hold until you ask for it again.`,
      "Anyone with this link can accept your invitation or leave the waitlist, so keep it private.",
    ],
    reason: waiting,
  }),
  "waitlist-reminder": (content, { product }) => ({
    subject: `Your ${product} invitation expires soon`,
    heading: "Your invitation expires soon",
    before: [`You can accept your invitation to ${content.what} until ${content.until}:`],
    button: { label: "See my invitation", url: content.url },
    after: ["If you're no longer interested, ignore this email or leave the waitlist on the same page."],
    reason: waiting,
  }),
  "waitlist-joined": (content, { product }) => ({
    subject: `You're in: no more waiting for ${product}`,
    heading: "You're in",
    before: [`You have ${content.what} now, so we've taken you off the waitlist.`],
    button: { label: "Open my account", url: content.url },
    after: [],
    reason: last,
  }),
  "doors-open": (content, { product }) => ({
    subject: `The wait for ${product} is over`,
    heading: "The wait is over",
    before: [`${content.what} is now open to everyone, and you asked us to let you know:`],
    button: { label: "Get started", url: content.url },
    after: [],
    reason: last,
  }),
};

const names: EmailNames<WaitlistEmail> = {
  "waitlist-confirm": "Confirm your place on the waitlist",
  "waitlist-place": "Your place on the waitlist",
  "waitlist-invited": "Your invitation",
  "waitlist-reminder": "Your invitation expires soon",
  "waitlist-joined": "You're in",
  "doors-open": "The wait is over",
};

export const waitlistEmails: EmailsOf<WaitlistEmail> = { en };
export const waitlistEmailNames: Messages<EmailNames<WaitlistEmail>> = { en: names };
