import { type FormEvent, useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import type { AccountIntent } from "./sections.ts";

/**
 * Saves a form's fields as they change. The page stays, and so does the focus. `form` is the form's props. For browsers without scripts,
 * put a button in a `<noscript>`.
 */
export function useSavedInPlace(intent: AccountIntent, page: string) {
  const ref = useRef<HTMLFormElement>(null);
  const fetcher = useFetcher<unknown>();
  const send = (sent: HTMLFormElement) => {
    const fields = new FormData(sent);
    fields.set("intent", intent);
    fields.set("inPlace", "on");
    void fetcher.submit(fields, { method: "post", action: page });
  };
  const isIdle = fetcher.state === "idle";
  const hasSent = useRef(false);
  // The action answers null to a form that was saved in place.
  const isSaved = isIdle && fetcher.data === null;
  useEffect(() => {
    // It wasn't saved, so the fields go back to what is stored.
    if (isIdle && hasSent.current && !isSaved) ref.current?.reset();
    hasSent.current = !isIdle;
  }, [isIdle, isSaved]);
  const sendEarly = useRef(send);
  useEffect(() => {
    // The user may have changed a field before the script ran.
    const boxes = [...(ref.current?.querySelectorAll<HTMLInputElement>("[type=checkbox], [type=radio]") ?? [])];
    if (ref.current && boxes.some((box) => box.checked !== box.defaultChecked)) sendEarly.current(ref.current);
  }, []);
  const form = {
    ref,
    autoComplete: "off",
    onChange: (event: FormEvent<HTMLFormElement>) => send(event.currentTarget),
    // Enter submits even a form without a button.
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      send(event.currentTarget);
    },
  };
  return { form, status: isIdle ? (isSaved ? ("saved" as const) : null) : ("saving" as const) };
}
