import type { Result } from "#app/core/result.ts";
import { Refused } from "./refused.ts";

/** A refusal is an outcome of the step, and ends it. */
export function must<Value>(result: Result<Value, { reason: string }>): Value {
  if (result.ok) return result.value;
  throw new Refused(result.refusal.reason);
}
