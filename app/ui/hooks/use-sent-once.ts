import { type FormEvent, useLayoutEffect, useRef } from "react";
import { useNavigation } from "react-router";

/**
 * For a form that also submits itself: its `onSubmit`, which stops a second submission until the first is answered. A button alone is
 * stopped by `pending`, but only from the next rendering on. `answer` is what the action returned.
 */
export function useSentOnce(answer: unknown): (event: FormEvent) => void {
  const isSent = useRef(false);
  const { state } = useNavigation();
  // Reset in the rendering that enables the button, not after it: a press in between would be lost.
  useLayoutEffect(() => {
    if (state === "idle") isSent.current = false;
  }, [state, answer]);
  return (event) => {
    if (isSent.current) event.preventDefault();
    isSent.current = true;
  };
}
