/** Whole seconds from `now` until `at`, rounded up and never negative: what a Retry-After header carries. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / 1000));
}

/**
 * A time limit: the operation is raced against `over`. Not an AbortSignal: the runtime checks one only when the next chunk arrives,
 * which never happens in a stalled body.
 */
export function startDeadline(ms: number): { over: Promise<"over">; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<"over">((resolve) => {
    timer = setTimeout(resolve, ms, "over");
  });
  return { over, stop: () => clearTimeout(timer) };
}
