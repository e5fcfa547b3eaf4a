import { large } from "../../../../scripts/demo/demo-events.ts";
import type { FeatureTools } from "../../../../scripts/feature-tools.ts";
import { mistypesDomain } from "../../../../scripts/gallery/actions.ts";
import { waitlistEmails } from "../emails.messages.ts";
import { waitlistMessages } from "../page/messages.ts";
import { waitlistPath } from "../rules.ts";
import { operators } from "./operators.ts";

export const waitlist: FeatureTools = {
  name: "waitlist",
  words: ["wait-?lists?\\w*", "doors-open"],
  scenes: {
    ofTestAccounts: [
      {
        name: "sign-up, invited to a plan",
        who: "nobody",
        path: `/signup?plan=${large}&interval=month&invitation={invitation}`,
      },
      { name: "waitlist", who: "nobody", path: "/waitlist" },
      {
        name: "waitlist, a mistyped domain",
        who: "nobody",
        path: "/waitlist",
        status: 422,
        action: mistypesDomain(waitlistMessages.en.join),
      },
      { name: "waitlist, joined", who: "nobody", path: "/waitlist?sent" },
      { name: "waitlist, to confirm", who: "nobody", path: "{confirm}" },
      { name: "waitlist, own place", who: "nobody", path: "{entry}" },
      { name: "waitlist, place under review", who: "nobody", path: "{reviewed}" },
      { name: "waitlist, an email came back", who: "nobody", path: "{bounced}" },
      { name: "waitlist, an email was spam", who: "nobody", path: "{complained}" },
      { name: "waitlist, signed in", who: "new", path: "/waitlist" },
      { name: "waitlist, closed account", who: "leaving", path: "/waitlist" },
      { name: "unsubscribe", who: "nobody", path: "{unsubscribe}" },
    ],
    ofDemo: [
      { name: "change plan, on a waitlist", who: "mara", path: `/settings/upgrade?plan=${large}&interval=month` },
      { name: "waitlist, in line", who: "nora", path: "/waitlist" },
    ],
  },
  lostRows: { entries: "places on the waitlist" },
  operators,
  benches: { waitlist: async () => (await import("./bench.ts")).benchWaitlist },
  settings: ["gate"],
  pictures: { paths: { waitlist: waitlistPath }, facts: ({ waitlist: list }) => ({ waitlist: list }) },
  emails: { title: "Waitlist", texts: waitlistEmails.en },
};
