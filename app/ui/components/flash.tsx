import { createContext, type ReactNode, useState } from "react";
import { useNavigation } from "react-router";
import { Notice } from "./notice.tsx";
import { useArrivalFocus } from "../hooks/use-arrival-focus.ts";

/** On a long page: the flash, and the id of the card that it stands in. */
export const FlashContext = createContext<(FlashProps & { place: string }) | null>(null);

/** The `handle` of a route whose page places the flash itself; on all others it stands on top. */
export const placesFlash = { placesFlash: true };

type FlashProps = {
  children: ReactNode;
  /** What the message came with; the same one as before means that nothing new has come since. */
  arrival: object;
};

/**
 * The one message that follows an action. It stands in the flow, so it covers nothing, and stays until the next page; or until what
 * was sent from this one is answered in place, which is a refusal then, and the newer word.
 */
export function Flash({ children, arrival }: FlashProps) {
  const { state, formMethod } = useNavigation();
  const [sentSince, setSentSince] = useState<object | null>(null);
  const isSending = formMethod !== undefined && formMethod !== "GET";
  if (isSending && sentSince !== arrival) setSentSince(arrival);
  const isOver = sentSince === arrival && state === "idle";
  // It comes filled, which no live region may: so whoever acted is led to it. One that was opened with the page is read with it.
  const { ref, tabIndex } = useArrivalFocus(!isOver, true);
  if (isOver) return null;
  return (
    <div className="flash" ref={ref} tabIndex={tabIndex}>
      <Notice kind="success">{children}</Notice>
    </div>
  );
}
