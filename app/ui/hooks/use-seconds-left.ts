import { useEffect, useState } from "react";

/**
 * Whole seconds until `until`, counted from the server's `now` so that a wrong clock in the browser doesn't matter. Constant until
 * hydration.
 */
export function useSecondsLeft(until: number, now: number): number {
  const [counted, setCounted] = useState({ since: now, elapsedMs: 0 });
  useEffect(() => {
    const startedAt = performance.now();
    const tick = () => {
      const elapsed = performance.now() - startedAt;
      setCounted({ since: now, elapsedMs: elapsed });
      if (now + elapsed >= until) clearInterval(timer);
    };
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [until, now]);
  // Seconds counted from an earlier response don't apply to a newer one.
  const elapsedMs = counted.since === now ? counted.elapsedMs : 0;
  return Math.max(0, Math.ceil((until - now - elapsedMs) / 1000));
}
