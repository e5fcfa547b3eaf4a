/**
 * The gate: what the waitlist guards, which is nothing, sign-up as a whole or one plan. The environment variable LAUNCH_GATE overrides
 * the config, so that a launch needs no new build. Called once per request from `create-app.ts`; the waitlist and the checkout use the
 * result.
 */
import { findPlan, isOffered, type ProductConfig } from "./rules.ts";

export type Gate = { kind: "none" } | { kind: "signup" } | { kind: "plan"; planId: string };

/** The gate in force: the variable, otherwise the config. Throws if it names an unknown plan. */
export function readGate(config: ProductConfig, override: string | undefined): Gate {
  const word = override || config.gate;
  if (word === "none") return { kind: "none" };
  if (word === "signup") return { kind: "signup" };
  const planId = gatedPlan(word);
  if (!findPlan(config, planId)) throw new Error(`LAUNCH_GATE is none, signup or plan:<id>, not "${word}"`);
  return { kind: "plan", planId: planId ?? "" };
}

/** Why this isn't a valid gate, as a sentence. Null if it is one. A plan that is no longer sold would collect a waitlist for nothing. */
export function gateProblem(config: ProductConfig, word: string): string | null {
  const planId = gatedPlan(word);
  if (planId === null) return word === "none" || word === "signup" ? null : notAGate(word);
  const plan = findPlan(config, planId);
  if (!plan) return notAGate(word);
  if (!isOffered(plan)) return `The gate guards "${planId}", which isn't sold any more.`;
  return plan.prices === null ? `The gate guards "${planId}", which is free: it needs no invitation.` : null;
}

function notAGate(word: string): string {
  return `The gate is none, signup or plan:<id> of one of the plans, not "${word}".`;
}

/** The plan that a gate guards. Null if it guards sign-up. `plan:<id>` is the format of LAUNCH_GATE and of the entries' column. */
export function gatedPlan(gate: string): string | null {
  return gate.startsWith("plan:") ? gate.slice("plan:".length) : null;
}

export function gateGuards(gate: Gate, planId: string): boolean {
  return gate.kind === "plan" && gate.planId === planId;
}

/** The gate as waitlist entries store it, if there is one. */
export function gateWord(gate: Gate): string | null {
  switch (gate.kind) {
    case "none":
      return null;
    case "signup":
      return "signup";
    case "plan":
      return `plan:${gate.planId}`;
  }
}
