import { type SubmitEvent, useEffect } from "react";
import { sharedState } from "./shared-state.ts";

/** State of a form that the browser itself submits, outside the router. */
const [useSent, change] = sharedState<FormData>();
let isSent = false;

function note(sent: FormData | null): void {
  isSent = sent !== null;
  change(sent);
}

const forget = () => note(null);

/** For a `<Form>` whose response leads to another document: it stays pending until this document is left, so that it isn't sent twice. */
export const documentForm = {
  reloadDocument: true,
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
    if (isSent) return event.preventDefault();
    note(new FormData(event.currentTarget, event.nativeEvent.submitter));
    // No event reports that the user stopped the navigation: by then a response would have arrived.
    setTimeout(forget, stoppedMs);
  },
};

const stoppedMs = 30_000;

export function useDocumentSubmission(): FormData | null {
  // Restored from the back/forward cache, the page must not be pending any more.
  useEffect(() => addEventListener("pageshow", forget), []);
  return useSent();
}
