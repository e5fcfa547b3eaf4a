import { deployedVariables } from "./deployed-variables.ts";

/** The address has rules of its own, and a release belongs to one build. */
const neverTaken = ["PUBLIC_ORIGIN", "SENTRY_RELEASE"];

type Mentioned = {
  /** What this deployment sets. */
  vars: Readonly<Record<string, unknown>>;
  /** What the running Worker has. */
  running: Readonly<Record<string, string>>;
  /** Names of variables to remove. */
  unset: readonly string[];
};

/** Variables of the running Worker that this deployment doesn't mention: they stay, so that a build elsewhere doesn't switch anything off. */
export function unmentionedVariables({ vars, running, unset }: Mentioned): Record<string, string> {
  const names = deployedVariables.filter(
    (name) => !neverTaken.includes(name) && !unset.includes(name) && !vars[name] && running[name],
  );
  return Object.fromEntries(names.map((name) => [name, running[name] ?? ""]));
}
