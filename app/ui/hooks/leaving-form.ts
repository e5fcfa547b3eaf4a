import { type SubmitEvent, useEffect } from "react";
import { sharedState } from "./shared-state.ts";

/** What was sent by a form that the browser itself sends, which the router hears nothing of. */
const [useSent, change] = sharedState<FormData>();
let isSent = false;

function note(sent: FormData | null): void {
  isSent = sent !== null;
  change(sent);
}

const forget = () => note(null);

/** For a `<Form>` whose answer leads to another document: it is on its way until this one is left, and isn't sent twice. */
export const leavingForm = {
  reloadDocument: true,
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
    if (isSent) return event.preventDefault();
    note(new FormData(event.currentTarget, event.nativeEvent.submitter));
    // Nothing says that somebody has stopped the browser: by then an answer would be there.
    setTimeout(forget, stoppedMs);
  },
};

const stoppedMs = 30_000;

export function useLeaving(): FormData | null {
  // Whoever comes back finds the page as it was left.
  useEffect(() => addEventListener("pageshow", forget), []);
  return useSent();
}
