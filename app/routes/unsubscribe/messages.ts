import type { Messages } from "#app/core/messages.ts";
import type { UnsubscribeSubject } from "#app/modules/email/unsubscribe.rules.ts";

const en = {
  title: "Unsubscribe",
  about: {
    waitlist: "about the waitlist",
    renewals: "about renewals",
    rewards: "about credit for friends",
    usage: "about your limits",
  } satisfies Record<UnsubscribeSubject, string>,
  ask: {
    title: (about: string) => `Stop emails ${about}?`,
    waitlist: "You keep your place, but we won't invite you until you tell us on its page that you still want to join.",
    optional: "You can switch them on again in your settings.",
    button: "Unsubscribe",
    pending: "Unsubscribing",
  },
  done: {
    title: (about: string) => `You won't get any more emails ${about}`,
    waitlist: "You keep your place. To be invited again, open the page of your place by the link that we emailed you.",
    optional: "You can switch them on again in your settings, under Notifications.",
    settings: "Open notifications",
    place: "Go to the waitlist",
  },
  unknown: {
    title: "This link doesn't work",
    lead: "It may be incomplete: open it from the email again. In your settings you can switch off optional emails as well.",
  },
};

export const unsubscribeMessages: Messages<typeof en> = { en };
