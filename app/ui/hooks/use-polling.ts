import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";

/** Revalidates in the background while a result is awaited, with increasing intervals. */
export function usePolling(isAwaited: boolean, { firstMs, atMostMs }: { firstMs: number; atMostMs: number }): void {
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

/** The longest delay that a timer accepts. */
const timerMsMax = 2 ** 31 - 1;

/** Revalidates at a moment named by the server, counted from the server's `now`. */
export function useRevalidateAt(at: number, now: number): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setTimeout(() => void revalidate(), Math.min(Math.max(0, at - now) + 1000, timerMsMax));
    return () => clearTimeout(timer);
  }, [at, now, revalidate]);
}
