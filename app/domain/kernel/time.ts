/** Instants are milliseconds since 1970 UTC; spans are milliseconds. Both are plain integers, named `…At` and `…Ms`. */
export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Whole seconds from `now` until `at`, rounded up and never negative: what a Retry-After header carries. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / secondMs));
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
