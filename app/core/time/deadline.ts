/**
 * A deadline to race a promise against via `over`. Not an AbortSignal: the runtime checks one only when the next chunk arrives, which
 * never happens for a stalled body.
 */
export function startDeadline(ms: number): { over: Promise<"over">; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<"over">((resolve) => {
    timer = setTimeout(resolve, ms, "over");
  });
  return { over, stop: () => clearTimeout(timer) };
}
