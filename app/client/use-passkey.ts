import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useSubmit } from "react-router";
import type { PasskeyProblem } from "./passkey-refusal.messages.ts";
import { askForPasskey, fetchOffer, type PasskeyOffer, waitForAutofill } from "./ask-for-passkey.ts";

type PasskeyUse = {
  form: RefObject<HTMLFormElement | null>;
  action: string | undefined;
  intent: "passkey" | "add-passkey";
  ceremony: "sign-in" | "reauthentication" | "add";
  /** The challenge rendered with the page. Without one, the form is sent without a passkey and the server decides what comes first. */
  offer: PasskeyOffer | null;
  /** Also offers passkeys among the suggestions of an address field on the page. */
  autofill: boolean;
};

/** The form's button starts the ceremony, and its result is posted with the form's other fields. */
export function usePasskey({ form, action, intent, ceremony, offer, autofill }: PasskeyUse) {
  const submit = useSubmit();
  const [phase, setPhase] = useState<"idle" | "asking" | "sent" | PasskeyProblem>("idle");
  const held = useRef({ offer, until: 0 });
  useEffect(() => {
    held.current = { offer, until: Date.now() + (offer?.freshForMs ?? 0) };
  }, [offer]);

  const send = (text?: string) => {
    // A challenge is valid for one response.
    held.current.until = 0;
    const fields = new FormData(form.current ?? undefined);
    fields.set("intent", intent);
    if (text) fields.set("passkey", text);
    return submit(fields, { method: "post", action });
  };
  const takeOffer = async () => {
    if (held.current.offer === null || Date.now() < held.current.until) return held.current.offer;
    const taken = await fetchOffer(ceremony);
    if (taken) held.current = { offer: taken, until: Date.now() + taken.freshForMs };
    return taken;
  };
  const ask = async () => {
    setPhase("asking");
    const taken = await takeOffer().catch(() => undefined);
    if (taken === undefined) return setPhase("site-unreachable");
    const outcome = taken && (await askForPasskey(taken));
    if (outcome && !outcome.ok) return setPhase(outcome.problem);
    setPhase("sent");
    await send(outcome?.text);
  };

  const wait = useEffectEvent(async (signal: AbortSignal) => {
    const taken = await takeOffer().catch(() => null);
    const text = taken && (await waitForAutofill(taken, signal));
    if (text && !signal.aborted) await send(text);
  });
  // The waiting starts again after a failed attempt by button, which ended it, but not while a response is pending.
  const isWaiting = autofill && phase !== "asking" && phase !== "sent";
  useEffect(() => {
    if (!isWaiting) return undefined;
    const ended = new AbortController();
    void wait(ended.signal);
    return () => ended.abort();
  }, [isWaiting]);

  const isCalm = phase === "idle" || phase === "asking" || phase === "sent";
  return { ask, isAsking: phase === "asking", problem: isCalm ? undefined : phase };
}
