import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";
import { useHydrated } from "#app/ui/hooks/use-hydrated.ts";

/**
 * Gives the focus to the one field of a form that was refused: its error is shown there and nowhere else. In a page from the server the
 * field's `autofocus` does that. `arrival` is the refusal, so that the field takes the focus again when the same error comes back. `selects`:
 * what is typed next replaces the value, where it is more likely wrong as a whole than in part.
 */
export function FieldFocus({ id, arrival, selects = false }: { id: string; arrival: object; selects?: boolean }) {
  const appearedInPlace = useRef(useHydrated());
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    if (!isIdle) return;
    const field = appearedInPlace.current ? document.getElementById(id) : null;
    field?.focus();
    if (selects && field instanceof HTMLInputElement) field.select();
    appearedInPlace.current = true;
  }, [id, arrival, selects, isIdle]);
  return null;
}
