import { type SubmitEvent, useSyncExternalStore } from "react";

/** What was sent by a form that the browser itself sends, which the router hears nothing of. */
let sent: FormData | null = null;
const listeners = new Set<() => void>();

/** For a `<Form>` whose answer leads to another document: it is on its way until this one is left, and isn't sent twice. */
export const leavingForm = {
  reloadDocument: true,
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
    if (sent) return event.preventDefault();
    change(new FormData(event.currentTarget, event.nativeEvent.submitter));
    // Nothing says that somebody has stopped the browser: by then an answer would be there.
    setTimeout(change, stoppedMs, null);
  },
};

const stoppedMs = 30_000;

function change(next: FormData | null): void {
  sent = next;
  for (const listen of listeners) listen();
}

export function useLeaving(): FormData | null {
  return useSyncExternalStore(subscribe, read, readNothing);
}

function subscribe(listen: () => void): () => void {
  listeners.add(listen);
  // Whoever comes back finds the page as it was left.
  addEventListener("pageshow", returned);
  return () => listeners.delete(listen);
}

const returned = () => change(null);
const read = () => sent;
const readNothing = () => null;
