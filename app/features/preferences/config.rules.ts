/** Checks the preferences of `app/product/config.ts`. Called with the core's own checks (`app/check-product.ts`). */
import { type ConfigProblem, problemIf, problemsOfNames } from "#app/modules/catalogue/config-problems.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { hasDevices } from "#app/features/devices/plans.rules.ts";
import { type Preference, preferencesOf, preferencesOn, takes } from "./preferences.rules.ts";

/** Field names that the form itself uses. */
const reservedKeys = ["intent", "version", "shown"];

export function checkPreferences(product: ProductConfig): ConfigProblem[] {
  const { plans } = product;
  const preferences = preferencesOf(product);
  return [
    ...problemIf(
      preferences.length > 0 && !hasDevices({ plans }) && plans.length > 0,
      "devices-missing",
      "preferences",
      "Devices read preferences: give each plan a limit `devices`, or leave them out.",
    ),
    ...problemsOfNames(
      "preferences",
      preferences.map(({ key }) => key),
    ),
    ...preferences.flatMap(({ key }, index) =>
      problemIf(reservedKeys.includes(key), "name-reserved", `preferences[${index}]`, `The form itself uses "${key}".`),
    ),
    ...checkDefaults(preferences, plans),
  ];
}

/** A default outside its preference's range would be dropped when it is read back. */
function checkDefaults(preferences: readonly Preference[], plans: ProductConfig["plans"]): ConfigProblem[] {
  return preferences.flatMap((preference, index) => {
    const { default: standard } = preference;
    const path = `preferences[${index}]`;
    const lacking = preference.kind === "number" ? plansLacking(plans, preference.limit) : [];
    if (lacking.length > 0) {
      return problemIf(true, "limit-missing", `${path}.limit`, `The plans ${lacking.join(", ")} have no such limit.`);
    }
    // The default has to be allowed on every plan, the smallest as well.
    const isTaken = plans.every((plan) => preferencesOn([preference], plan).every((own) => takes(own, standard)));
    return problemIf(
      !isTaken,
      "default-not-allowed",
      `${path}.default`,
      `"${standard}" can't be chosen on every plan.`,
    );
  });
}

function plansLacking(plans: ProductConfig["plans"], limit: string | undefined): string[] {
  return limit === undefined ? [] : plans.flatMap(({ id, limits }) => (limits[limit] === undefined ? [id] : []));
}
