import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";

/** Asks the server again quietly while something is awaited: first after a while, then less and less often. */
export function useLookAgain(isAwaited: boolean, { firstMs, atMostMs }: { firstMs: number; atMostMs: number }): void {
  const { revalidate, state } = useRevalidator();
  const waitMs = useRef(firstMs);
  useEffect(() => {
    if (!isAwaited || state !== "idle") return;
    const timer = setTimeout(() => {
      waitMs.current = Math.min(2 * waitMs.current, atMostMs);
      void revalidate();
    }, waitMs.current);
    return () => clearTimeout(timer);
  }, [isAwaited, revalidate, state, atMostMs]);
}
