/** What operators have to know of a person's entries, a line each. Called from the operators' call about a person. */
import type { EntryId } from "#app/core/id.ts";
import type { EntryReturn, EntryReview, EntryState } from "./rules.ts";

type Facts = { id: EntryId; state: EntryState; review: EntryReview; returned: EntryReturn | null };

export function attentionTo(entries: readonly Facts[]): string[] {
  return [
    ...entries
      .filter(({ state, returned }) => returned !== null && ["waiting", "invited", "resting"].includes(state))
      .map(
        ({ id, returned }) =>
          `place on the waitlist isn't invited, since ${returned === "unsubscribed" ? "its owner unsubscribed" : `an email ${returned}`}: ${id}`,
      ),
    ...(entries.some(({ state }) => state === "rejected") ? ["place on the waitlist was rejected"] : []),
  ];
}

/** By the id that the decision takes. */
export function undecidedOf(entries: readonly Facts[]): string[] {
  return entries
    .filter(({ review }) => review === "under-review")
    .map(({ id }) => `place on the waitlist under review: ${id}`);
}
