import { type RefObject, useEffect, useRef } from "react";
import { useNavigation } from "react-router";
import { useHydrated } from "./use-hydrated.ts";

type Focusable = { ref: RefObject<HTMLDivElement | null>; tabIndex: -1; autoFocus: true };

/**
 * For what says that something went wrong: it takes focus when it appears, by `autofocus` in a page that comes from the server, by
 * script after a submission in place. It doesn't take it again when the page comes alive, because by then somebody may be typing.
 */
export function useArrivalFocus(isShown: boolean): Focusable {
  const ref = useRef<HTMLDivElement>(null);
  const appearedInPlace = useRef(useHydrated());
  const { state } = useNavigation();
  const hasArrived = isShown && state === "idle";
  useEffect(() => {
    if (hasArrived && appearedInPlace.current) ref.current?.focus();
    appearedInPlace.current = true;
  }, [hasArrived]);
  return { ref, tabIndex: -1, autoFocus: true };
}
