import { createContext, type ReactNode, useState } from "react";
import { useMatches, useNavigation } from "react-router";
import { Notice } from "./notice.tsx";
import { useArrivalFocus } from "#app/ui/hooks/use-arrival-focus.ts";

/** On a long page: the flash message and the id of the card that shows it. */
export const FlashContext = createContext<(FlashProps & { cardId: string }) | null>(null);

/** The `handle` of a route whose page places the flash itself. On all other pages, the frame shows it first. */
export const placesFlash = { placesFlash: true };

export function useIsFlashPlaced(): boolean {
  return useMatches().some(({ handle }) => handle === placesFlash);
}

type FlashProps = {
  children: ReactNode;
  /** The navigation that delivered the message; unchanged means that no newer one has arrived. */
  arrival: object;
};

/**
 * The one message after an action. It is in the document flow, so it covers nothing, and stays until the next page, or until a form on
 * this page is refused in place, which is the newer message.
 */
export function Flash({ children, arrival }: FlashProps) {
  const { state, formMethod } = useNavigation();
  const [sentSince, setSentSince] = useState<object | null>(null);
  const isSending = formMethod !== undefined && formMethod !== "GET";
  if (isSending && sentSince !== arrival) setSentSince(arrival);
  const isOver = sentSince === arrival && state === "idle";
  // A live region must start empty, but this one doesn't, so focus moves to it after an action. On page load it is read with the page.
  const { ref, tabIndex } = useArrivalFocus(!isOver, true);
  if (isOver) return null;
  return (
    <div className="flash" ref={ref} tabIndex={tabIndex}>
      <Notice kind="success">{children}</Notice>
    </div>
  );
}
