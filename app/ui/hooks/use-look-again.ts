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

/** Longer waits a timer doesn't take. */
const timerMsMax = 2 ** 31 - 1;

/** Asks the server again when a moment has come that it named, counted from the server's `now`. */
export function useLookAgainAt(at: number, now: number): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setTimeout(() => void revalidate(), Math.min(Math.max(0, at - now) + 1000, timerMsMax));
    return () => clearTimeout(timer);
  }, [at, now, revalidate]);
}
