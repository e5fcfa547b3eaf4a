import type { Messages } from "#app/core/messages.ts";

/** Why the email service doesn't send the email. Rare, so the server chooses the text. */
const en = {
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

export const refusedEmailMessages: Messages<typeof en> = { en };
