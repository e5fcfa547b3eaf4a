import type { Messages } from "#app/core/messages.ts";

const en = {
  about: "about the waitlist",
  ask: "You keep your place, but we won't invite you until you tell us on its page that you still want to join.",
  done: "You keep your place. To be invited again, open the page of your place by the link that we emailed you.",
  link: "Go to the waitlist",
  notice: {
    title: "You've unsubscribed from emails about the waitlist",
    text: "You keep your place, but we won't invite you unless you tell us that you still want to join:",
    link: "See my place",
  },
};

export const waitlistStoppedMessages: Messages<typeof en> = { en };
