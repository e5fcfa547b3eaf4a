/** Throws unless the condition holds. Only for what can't happen: a bug, which is reported and answered with 500. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
