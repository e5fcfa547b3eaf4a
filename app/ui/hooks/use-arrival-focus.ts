import { type RefObject, useEffect, useRef } from "react";
import { useNavigation } from "react-router";
import { useHydrated } from "./use-hydrated.ts";

type Focusable = { ref: RefObject<HTMLDivElement | null>; tabIndex: -1; autoFocus: true };

/**
 * For an error message: it takes focus when it appears, by `autofocus` in a page from the server, by script after a submission in place.
 * It doesn't take it again on hydration, because the user may be typing by then. A success message takes focus only when no field has it.
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
