import type { Messages } from "#app/core/messages.ts";

const en = {
  pages: {},
  flashes: {
    "left-waitlist": "You've left the waitlist.",
    "place-link-sent": "We've emailed you the link to this page.",
    "place-link-waits":
      "We've emailed you too recently to send another email. Wait a few minutes, then ask for the link again.",
  },
  data: { exported: ["places on the waitlist"], erased: ["places on the waitlist"] },
};

export const waitlistFeatureMessages: Messages<typeof en> = { en };

declare module "#app/http/page/flash.messages.ts" {
  interface Flashes {
    "left-waitlist": string;
    "place-link-sent": string;
    "place-link-waits": string;
  }
}
