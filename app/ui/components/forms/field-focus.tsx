import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";
import { useHydrated } from "#app/ui/hooks/use-hydrated.ts";

/**
 * Gives the focus to the one field of a form that was refused: its error is shown there and nowhere else. In a page from the server the
 * field's `autofocus` does that. `arrival` is the refusal, so that the field takes the focus again when the same error comes back.
 */
export function FieldFocus({ id, arrival }: { id: string; arrival: object }) {
  const appearedInPlace = useRef(useHydrated());
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    if (!isIdle) return;
    if (appearedInPlace.current) document.getElementById(id)?.focus();
    appearedInPlace.current = true;
  }, [id, arrival, isIdle]);
  return null;
}
