import { type FormEvent, useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import type { AccountIntent } from "./sections.ts";

/**
 * For a form whose fields are saved as they change, without leaving the page: the focus stays where it is. `form` are the form's props;
 * without a script it needs a button, in a `<noscript>`.
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
  // The action's answer to a form that was saved in place.
  const isSaved = isIdle && fetcher.data === null;
  useEffect(() => {
    // Not saved: the fields go back to what is stored.
    if (isIdle && hasSent.current && !isSaved) ref.current?.reset();
    hasSent.current = !isIdle;
  }, [isIdle, isSaved]);
  const sendEarly = useRef(send);
  useEffect(() => {
    // A field that was changed before the script ran.
    const boxes = [...(ref.current?.querySelectorAll<HTMLInputElement>("[type=checkbox], [type=radio]") ?? [])];
    if (ref.current && boxes.some((box) => box.checked !== box.defaultChecked)) sendEarly.current(ref.current);
  }, []);
  const form = {
    ref,
    autoComplete: "off",
    onChange: (event: FormEvent<HTMLFormElement>) => send(event.currentTarget),
    // Enter submits a form without a button, too.
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      send(event.currentTarget);
    },
  };
  return { form, status: isIdle ? (isSaved ? ("saved" as const) : null) : ("saving" as const) };
}
