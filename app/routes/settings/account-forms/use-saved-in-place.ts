import { type FormEvent, startTransition, useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { useUnsent } from "#app/client/keep-form.ts";
import type { AccountIntent } from "./sections.ts";

/**
 * Saves a form's fields as they change. The page stays, and so does the focus. `form` is the form's props. For browsers without scripts,
 * put a button in a `<noscript>`.
 */
export function useSavedInPlace(intent: AccountIntent, page: string) {
  const ref = useRef<HTMLFormElement>(null);
  const fetcher = useFetcher<unknown>();
  const unsent = useUnsent();
  const [isSending, setIsSending] = useState(false);
  const isSendingNow = useRef(false);
  /** What is saved once the save before it has been answered. */
  const next = useRef<FormData | null>(null);
  /** One save after the other: of two at once, the server could receive the older one last. */
  const save = async (form: HTMLFormElement) => {
    next.current = new FormData(form);
    next.current.set("intent", intent);
    next.current.set("inPlace", "on");
    if (isSendingNow.current) return;
    isSendingNow.current = true;
    setIsSending(true);
    for (let fields = takeNext(next); fields; fields = takeNext(next)) {
      await fetcher.submit(fields, { method: "post", action: page });
    }
    isSendingNow.current = false;
    // The fetcher's own state changes in a transition, too.
    startTransition(() => setIsSending(false));
  };
  const isIdle = !isSending && fetcher.state === "idle";
  const hasSent = useRef(false);
  // The action answers null to a form that was saved in place. After a failure the fetcher still has the answer before.
  const isSaved = isIdle && fetcher.data === null && unsent === null;
  useEffect(() => {
    // It wasn't saved, so the fields go back to what is stored.
    if (isIdle && hasSent.current && !isSaved) ref.current?.reset();
    hasSent.current = !isIdle;
  }, [isIdle, isSaved]);
  const saveEarly = useRef(save);
  useEffect(() => {
    // The user may have changed a field before the script ran.
    const boxes = [...(ref.current?.querySelectorAll<HTMLInputElement>("[type=checkbox], [type=radio]") ?? [])];
    if (ref.current && boxes.some((box) => box.checked !== box.defaultChecked)) void saveEarly.current(ref.current);
  }, []);
  useEffect(() => {
    const saveLast = () => {
      const fields = takeNext(next);
      if (fields) navigator.sendBeacon(page, fields);
    };
    addEventListener("pagehide", saveLast);
    return () => removeEventListener("pagehide", saveLast);
  }, [page]);
  const form = {
    ref,
    autoComplete: "off",
    onChange: (event: FormEvent<HTMLFormElement>) => void save(event.currentTarget),
    // Enter submits even a form without a button.
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      void save(event.currentTarget);
    },
  };
  return { form, status: isIdle ? (isSaved ? ("saved" as const) : null) : ("saving" as const) };
}

function takeNext(next: { current: FormData | null }): FormData | null {
  const taken = next.current;
  next.current = null;
  return taken;
}
