import type { MessageOverrides } from "#app/message-overrides.ts";

/** A page's text and an email's in place of Foyer's. */
export const messages: MessageOverrides = {
  loginMessages: { en: { lead: "Lanterns are lit again once you are back." } },
  closingEmails: {
    en: {
      restored: (content, { product }) => ({
        subject: `${product} shines again`,
        heading: "Your account is back",
        before: ["Nothing was erased."],
        button: { label: "Open my account", url: content.url },
        after: [],
        reason: "You're receiving this email because this is your account's email address.",
      }),
    },
  },
};
