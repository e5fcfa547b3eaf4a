import type { FeatureSamples } from "#tests/support/feature-samples.ts";
import { joinWaitlist } from "../commands/join-waitlist.server.ts";
import { waitlistMessages } from "../page/messages.ts";
import { acceptInvitation } from "./accept-invitation.ts";
import { waitingVisitors } from "./visitors.ts";

const { join, problems } = waitlistMessages.en;

export const waitlist: FeatureSamples = {
  name: "waitlist",
  addresses: waitingVisitors,
  addressForms: [
    {
      path: "/waitlist",
      name: "waitlist",
      fields: { intent: "join" },
      texts: { email: join.email, submit: join.submit, missing: problems["email-missing"] },
      leadsTo: "**/waitlist?sent",
    },
  ],
  asksByEmail: (app, address, ip) => joinWaitlist(app, { address, ref: null, ip }),
  passGate: acceptInvitation,
  off: { gate: "none" },
  erasedTables: [],
  siteTables: ["queue_counts", "waves"],
  amongOthers: {
    changeToBegun: "entries are numbered one after the other",
    findQueuePosition: "a place is the number of entries before it",
  },
  forms: [],
  factors: {
    waitlist: {
      open: { waitlist: "open", invitationsPerDay: 5 },
      full: { waitlist: "full", invitationsPerDay: 0 },
    },
  },
};
