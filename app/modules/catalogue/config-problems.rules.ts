/** Everything that can be wrong with `app/product/config.ts`, each problem with a stable code. Called from the checks of its parts. */

/** `path` leads to the setting: `plans[1].prices.month.amountMinor`. */
export type ConfigProblem = { code: ConfigProblemCode; message: string; path: string };

type ConfigProblemCode =
  | "currency-unknown"
  | "price-below-minimum"
  | "amount-not-chargeable"
  | "discounted-price-below-minimum"
  | "free-plan-twice"
  | "plans-missing"
  | "free-plan-retired"
  | "price-missing"
  | "plans-not-ascending"
  | "name-taken-twice"
  | "name-malformed"
  | "name-reserved"
  | "meter-label-unsuitable"
  | "sentence-empty"
  | "statement-descriptor-refused"
  | "data-day-unknown"
  | "tax-unsuitable"
  | "reminder-unsuitable"
  | "gate-unknown"
  | "limit-missing"
  | "devices-missing"
  | "point-unknown"
  | "default-not-allowed"
  | "third-party-empty"
  | "inline-code-unsuitable"
  | "attribute-unknown"
  | "address-not-https"
  | "directive-unknown"
  | "origin-malformed"
  | "email-limit-malformed"
  | "email-limit-too-high"
  | "email-limits-leave-nothing";

export function problemIf(isWrong: boolean, code: ConfigProblemCode, path: string, message: string): ConfigProblem[] {
  return isWrong ? [{ code, message, path }] : [];
}

/** Names of one list: each once, and of letters, digits, - and _. */
export function problemsOfNames(list: string, names: readonly string[]): ConfigProblem[] {
  return names.flatMap((name, index) => [
    ...problemIf(names.indexOf(name) !== index, "name-taken-twice", `${list}[${index}]`, `"${name}" is already taken.`),
    ...problemsOfName(name, `${list}[${index}]`),
  ]);
}

export function problemsOfName(name: string, path: string): ConfigProblem[] {
  return problemIf(
    !/^[A-Za-z][\w-]*$/.test(name),
    "name-malformed",
    path,
    `"${name}" may only contain letters, digits, - and _.`,
  );
}
