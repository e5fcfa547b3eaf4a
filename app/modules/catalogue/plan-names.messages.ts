import type { Messages } from "#app/core/messages.ts";
import { planInForce } from "./catalogue.rules.ts";
import { findPlan, type Plan, type ProductConfig } from "./rules.ts";

const en = {
  /** For a plan that the catalogue doesn't know. */
  unknown: "Your plan",
  /** Fits within a sentence: "You are on …". */
  unknownInText: "a plan that's no longer sold",
};

export const planNameMessages: Messages<typeof en> = { en };

/** `nameInText` fits after "You are on". */
type NamedPlan = Plan & { nameInText: string };

/** A plan's name on pages. Never its id: a plan that the catalogue doesn't know is "Your plan". */
export function planName(product: ProductConfig, planId: string | null | undefined): string {
  return findPlan(product, planId)?.name || planNameMessages.en.unknown;
}

/** A plan's name, to fit after "You are on". */
export function planNameInText(product: ProductConfig, planId: string | null | undefined): string {
  return findPlan(product, planId)?.name || planNameMessages.en.unknownInText;
}

/** The plan in force with its name for pages. Null if none is in force. */
export function namedPlan(product: ProductConfig, planId: string): NamedPlan;
export function namedPlan(product: ProductConfig, planId: string | null | undefined): NamedPlan | null;
export function namedPlan(product: ProductConfig, planId: string | null | undefined): NamedPlan | null {
  const plan = planInForce(product, planId);
  return (
    plan && {
      ...plan,
      name: plan.name || planNameMessages.en.unknown,
      nameInText: plan.name || planNameMessages.en.unknownInText,
    }
  );
}

/** The names of these plans by their ids. */
export function planNames(product: ProductConfig, planIds: readonly (string | null | undefined)[]) {
  return Object.fromEntries(planIds.flatMap((id) => (id ? [[id, planName(product, id)]] : [])));
}

/** Product and plan, as emails and receipts say what was paid for; the product alone for a plan without a name. */
export function whatIsSold(product: ProductConfig, planId: string | null | undefined): string {
  return [product.name, findPlan(product, planId)?.name].filter(Boolean).join(" ");
}
