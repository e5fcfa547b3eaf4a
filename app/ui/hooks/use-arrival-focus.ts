import { type RefObject, useEffect, useRef } from "react";
import { useNavigation } from "react-router";
import { useHydrated } from "./use-hydrated.ts";

type Focusable = { ref: RefObject<HTMLDivElement | null>; tabIndex: -1; autoFocus: true };

/**
 * For what says that something went wrong: it takes focus when it appears, by `autofocus` in a page that comes from the server, by
 * script after a submission in place. It doesn't take it again when the page comes alive, because by then somebody may be typing. Good news is for whoever isn't in a field.
 */
export function useArrivalFocus(isShown: boolean, isGood = false): Focusable {
  const ref = useRef<HTMLDivElement>(null);
  const appearedInPlace = useRef(useHydrated());
  const { state } = useNavigation();
  const hasArrived = isShown && state === "idle";
  useEffect(() => {
    const isDue = hasArrived && appearedInPlace.current;
    if (isDue && !(isGood && document.activeElement?.matches("input"))) ref.current?.focus();
    appearedInPlace.current = true;
  }, [hasArrived, isGood]);
  return { ref, tabIndex: -1, autoFocus: true };
}
