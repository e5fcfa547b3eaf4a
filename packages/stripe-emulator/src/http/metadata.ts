import { invalid } from "./stripe-errors.ts";

/** Source: https://docs.stripe.com/api/metadata */
const KEYS_MAX = 50;
const KEY_LENGTH_MAX = 40;
const VALUE_LENGTH_MAX = 500;

/** Stripe's rule for changing metadata: given keys are set, keys with an empty value removed, the others stay. */
export function mergeMetadata(
  existing: Record<string, string>,
  given: Record<string, string> | undefined,
): Record<string, string> {
  const merged = Object.fromEntries(Object.entries({ ...existing, ...given }).filter(([, value]) => value !== ""));
  requireFewKeys(merged, "metadata");
  return merged;
}

/** Refuses metadata that Stripe wouldn't store. */
export function requireMetadataLimits(metadata: Record<string, string>, param: string): void {
  for (const [key, value] of Object.entries(metadata)) {
    if (key.length > KEY_LENGTH_MAX)
      throw invalid(`Invalid key: ${key} must be a string under ${KEY_LENGTH_MAX} characters`, { param });
    if (value.length > VALUE_LENGTH_MAX)
      throw invalid(`Invalid val: ${value} must be a string under ${VALUE_LENGTH_MAX} characters`, { param });
  }
  requireFewKeys(metadata, param);
}

function requireFewKeys(metadata: Record<string, string>, param: string): void {
  const keys = Object.keys(metadata).length;
  if (keys > KEYS_MAX) throw invalid(`Metadata can have up to ${KEYS_MAX} keys, but you've set ${keys}.`, { param });
}
