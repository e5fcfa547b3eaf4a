/** Stripe's rule for changing metadata: given keys are set, given but empty ones removed, the others stay. */
export function mergeMetadata(
  existing: Record<string, string>,
  given: Record<string, string> | undefined,
): Record<string, string> {
  return Object.fromEntries(Object.entries({ ...existing, ...given }).filter(([, value]) => value !== ""));
}
