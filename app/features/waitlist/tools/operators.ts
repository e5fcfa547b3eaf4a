import type { FeatureTools } from "../../../../scripts/feature-tools.ts";
import { get, post } from "../../../../scripts/ops/command.ts";
import { rowsOf } from "../../../../scripts/ops/table.ts";
import { waveMax } from "../invitations.rules.ts";
import { waitlistEntryMessages } from "../page/entry.messages.ts";
import { entryStates } from "../rules.ts";

export const operators: NonNullable<FeatureTools["operators"]> = {
  commands: {
    invite: {
      takes: "N",
      does: "invites the next N in line",
      ask: ([count]) => post("/invitations", { count: Number(count) }),
    },
    entries: {
      takes: "[STATE]",
      accepted: entryStates,
      does: "the line, in its order",
      ask: ([state], { after }) => get("/entries", { state, after }),
    },
  },
  fields: { "count-malformed": `a whole number from 1 to ${waveMax}` },
  previews: {
    waitlist: ({ shows, what }: { shows: "waiting" | "rejected"; what: string }) => {
      const { title, lead } = waitlistEntryMessages.en[shows];
      return `The waitlist page shows: ${title(what)}. ${lead}`;
    },
  },
  person: (person) => ({
    title: "waitlist",
    rows: rowsOf(person["waitlist"]).map(({ gate, state, review, ahead, friends, confirmedAt, returned, id }) => ({
      gate,
      state,
      review: review === "none" ? "" : review,
      ahead,
      friends,
      confirmed: confirmedAt,
      returned,
      id,
    })),
  }),
};
