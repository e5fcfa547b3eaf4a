/** The result of a command: success with a value, or a refusal with a tagged reason and its details. */
export type Result<Value, Refusal extends { reason: string }> =
  | { ok: true; value: Value }
  | { ok: false; refusal: Refusal };

export function done<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value };
}

export function refused<Refusal extends { reason: string }>(refusal: Refusal): { ok: false; refusal: Refusal } {
  return { ok: false, refusal };
}

/** Ends an exhaustive switch: doesn't compile while a case is missing. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}
