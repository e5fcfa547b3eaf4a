/** These properties alone: what a page's components need of a row, so that the rest isn't sent to the browser. */
export function pick<Value extends object, Key extends keyof Value>(
  value: Value,
  ...keys: readonly Key[]
): { [Kept in Key]: Value[Kept] } {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as { [Kept in Key]: Value[Kept] };
}
