import { useEffect, useRef } from "react";
import { useHydrated } from "./use-hydrated.ts";

/**
 * For a form of one field, which shows its error only there: each refusal in place moves the focus to the field. In a page from the server
 * `autofocus` does that.
 */
export function useFocusOnRefusal(fieldId: string, refusal: object | null): void {
  const appearedInPlace = useRef(useHydrated());
  useEffect(() => {
    if (refusal && appearedInPlace.current) document.getElementById(fieldId)?.focus();
    appearedInPlace.current = true;
  }, [fieldId, refusal]);
}
