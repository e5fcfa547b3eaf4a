import type { Messages } from "#app/core/messages.ts";
import type { EmailState, EmailReturnKind } from "#app/modules/email/rules.ts";

const en = {
  title: "Notifications",
  lead: (email: string) => `We email you at ${email}.`,
  emails: {
    title: "Optional emails",
    brief: (on: number, all: number) => (on === all ? "All on" : on === 0 ? "All off" : `${on} of ${all} on`),
    text: "You'll always get sign-in codes, invoices and anything that needs your attention. These are optional:",
    kinds: {
      renewals: { label: "Renewals", hint: "Before a yearly plan renews, with the date and amount." },
      rewards: { label: "Credit for friends", hint: "When you earn credit for a friend, or lose it." },
      usage: {
        label: "Limits",
        hint: "When you're close to a limit, and when you reach it. At most once a month each.",
      },
    },
    save: "Save",
    saving: "Saving",
    saved: "Saved.",
  },
  sent: {
    title: "Emails we sent you",
    brief: (count: number) => (count === 0 ? "None" : `The newest ${count}`),
    none: "No emails yet. The code you signed up with isn't listed here.",
    what: "Email",
    when: "Date",
    /** An email that was sent shows no state. */
    states: { queued: "Sending", failed: "Not delivered" } satisfies Record<Exclude<EmailState, "sent">, string>,
    older: (count: number) => `Showing the newest ${count}. Your data download lists all of them.`,
  },
};

export const notificationsMessages: Messages<typeof en> = { en };

/** Why an account no longer gets optional emails. Rare, so the server chooses the text. */
const returnedEmailsTexts = {
  bounced:
    "We switched these off because an email to your address came back. Once your mailbox accepts our emails, switch them on again.",
  complained:
    "We switched these off because one of our emails was reported as spam from your mailbox. Switch them on again if that was a mistake.",
} satisfies Record<EmailReturnKind, string>;

export const returnedEmailsMessages: Messages<typeof returnedEmailsTexts> = { en: returnedEmailsTexts };
