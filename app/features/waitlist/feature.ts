import type { Feature } from "#app/feature.ts";
import { checkWaitlist } from "./config.rules.ts";
import { waitlistFeatureMessages } from "./feature.messages.ts";
import { waitlistGateMessages } from "./gate.messages.ts";
import { waitlistPath } from "./rules.ts";
import { waitlistStoppedMessages } from "./stopped.messages.ts";

/** A line before what is open by invitation only: sign-up as a whole, or a plan. */
export const waitlist: Feature = {
  name: "waitlist",
  isOn: () => true,
  checkConfig: checkWaitlist,
  publicPages: [
    {
      path: "waitlist",
      file: "features/waitlist/page/route.tsx",
      about: "Join, confirm, see the position, invite friends, leave, accept an invitation.",
      isFixed: true,
    },
  ],
  gate: { path: waitlistPath, isFull: (product) => product.waitlist === "full", messages: waitlistGateMessages },
  optionalEmails: { waitlist: { path: waitlistPath, messages: waitlistStoppedMessages } },
  messages: waitlistFeatureMessages,
};
