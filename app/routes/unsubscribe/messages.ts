import type { Messages } from "#app/core/messages.ts";
import type { EmailKind } from "#app/modules/email/rules.ts";

const en = {
  title: "Unsubscribe",
  about: {
    renewals: "about renewals",
    rewards: "about credit for friends",
    usage: "about your limits",
  } satisfies Record<EmailKind, string>,
  ask: {
    title: (about: string) => `Stop emails ${about}?`,
    optional: "You can switch them on again in your settings.",
    button: "Unsubscribe",
    pending: "Unsubscribing",
  },
  done: {
    title: (about: string) => `You won't get any more emails ${about}`,
    optional: "You can switch them on again in your settings, under Notifications.",
    settings: "Open notifications",
  },
  unknown: {
    title: "This link doesn't work",
    lead: "It may be incomplete: open it from the email again. In your settings you can switch off optional emails as well.",
  },
};

export const unsubscribeMessages: Messages<typeof en> = { en };
