/** Only these properties: a page sends the browser what its components need of a row, and not the rest. */
export function pick<Value extends object, Key extends keyof Value>(
  value: Value,
  ...keys: readonly Key[]
): { [Kept in Key]: Value[Kept] } {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as { [Kept in Key]: Value[Kept] };
}
