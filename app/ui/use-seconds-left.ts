import { useEffect, useState } from "react";

/**
 * Whole seconds until `until`, counted from the server's `now` so that a wrong clock in the browser doesn't matter.
 * Doesn't move until the page is alive.
 */
export function useSecondsLeft(until: number, now: number): number {
  const [elapsedMs, setElapsedMs] = useState(0);
  useEffect(() => {
    const startedAt = performance.now();
    const tick = () => {
      const elapsed = performance.now() - startedAt;
      setElapsedMs(elapsed);
      if (now + elapsed >= until) clearInterval(timer);
    };
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [until, now]);
  return Math.max(0, Math.ceil((until - now - elapsedMs) / 1000));
}
