/**
 * The gate: what is open by invitation only, which is nothing, sign-up as a whole or one plan. The environment variable LAUNCH_GATE
 * overrides the config, so that a launch needs no new build. Called once per request from `create-app.ts`; a feature lets people through
 * (`Gatekeeper` in `app/app.ts`), and without one there is no gate.
 */
import { findPlan, isOffered, type ProductConfig } from "./rules.ts";

export type Gate = { kind: "none" } | { kind: "signup" } | { kind: "plan"; planId: string };

/** The gate in force: the variable, otherwise the config. Throws if it names an unknown plan. */
export function readGate(config: ProductConfig, override: string | undefined): Gate {
  const word = override || (config.gate ?? "none");
  if (word === "none") return { kind: "none" };
  if (word === "signup") return { kind: "signup" };
  const planId = gatedPlan(word);
  if (!findPlan(config, planId)) throw new Error(`LAUNCH_GATE is none, signup or plan:<id>, not "${word}"`);
  return { kind: "plan", planId: planId ?? "" };
}

/** Why this isn't a valid gate, as a sentence. Null if it is one. People would wait for a plan that is no longer sold for nothing. */
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

/** The plan that a gate guards. Null if it guards sign-up. */
export function gatedPlan(gate: string): string | null {
  return gate.startsWith("plan:") ? gate.slice("plan:".length) : null;
}

export function gateGuards(gate: Gate, planId: string): boolean {
  return gate.kind === "plan" && gate.planId === planId;
}

/** The gate as LAUNCH_GATE spells it and as it is stored, if there is one. */
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

/** What a gate guards, by its name on pages: the product as a whole, or a plan. */
export function gateName(
  product: { name: string; plans: readonly { id: string; name: string }[] },
  gate: string,
): string {
  const plan = product.plans.find(({ id }) => id === gatedPlan(gate));
  return plan ? `${product.name} ${plan.name}` : product.name;
}

/** What an invitation allows now. `none`: there never was one, or what it was for has ended. */
type InvitationVerdict = "open" | "over" | "used" | "no-gate" | "none";

/**
 * What the sign-up form says about an invitation; `unknown`: an invalid link. The address is shown, since the link was emailed to it, and
 * a typo in the form would lose the invitation.
 */
export type ShownInvitation = { verdict: InvitationVerdict | "unknown"; address: string; until: number };

/** Why an address may not sign up. */
export type AdmitRefusal =
  | { reason: "by-invitation" }
  | { reason: "invitation-over" }
  | { reason: "invitation-used" }
  | { reason: "invitation-elsewhere" };
