/** Checks the list of plans: prices, order, limits. Called from `checkConfig`. */
import { type ConfigProblem, problemIf } from "./config-problems.rules.ts";
import { unknownLimits } from "./points.rules.ts";
import { intervalsOf, isOffered, monthlyPrice, type ProductConfig } from "./rules.ts";

export function checkPlans({ plans, meters }: ProductConfig): ConfigProblem[] {
  const free = plans.filter(({ prices }) => prices === null);
  const monthly = plans.map(monthlyPrice);
  const isAscending = monthly.every((price, index) => price >= (monthly[index - 1] ?? 0));
  const wanted = meters.map(({ limit }) => limit);
  return [
    ...problemIf(
      free.length > 1,
      "free-plan-twice",
      "plans",
      "At most one plan has prices: null: the one that accounts have until they pay for another.",
    ),
    ...problemIf(!plans.some(isOffered), "plans-missing", "plans", "List at least one plan that isn't retired."),
    ...plans.flatMap(({ prices, sold }, index) => [
      ...problemIf(
        prices !== null && intervalsOf({ prices }).length === 0,
        "price-missing",
        `plans[${index}].prices`,
        "A paid plan needs a price for a month, for a year, or both.",
      ),
      ...problemIf(
        prices === null && sold === false,
        "free-plan-retired",
        `plans[${index}].sold`,
        "A plan without prices can't be retired: nobody subscribes to it. Take it out instead.",
      ),
    ]),
    ...problemIf(
      !isAscending,
      "plans-not-ascending",
      "plans",
      "List the plans by their monthly price, cheapest first.",
    ),
    ...plans.flatMap(({ id, limits }, index) =>
      wanted
        .filter((limit) => !Number.isSafeInteger(limits[limit]))
        .flatMap((limit) =>
          problemIf(true, "limit-missing", `plans[${index}].limits.${limit}`, `Plan "${id}" needs a limit "${limit}".`),
        ),
    ),
    ...plans.flatMap((plan, index) =>
      unknownLimits(plan).flatMap((limit) =>
        problemIf(
          true,
          "point-unknown",
          `plans[${index}].points`,
          `A point of plan "${plan.id}" names {${limit}}, which isn't one of its limits; or the config isn't inside withPoints(…).`,
        ),
      ),
    ),
  ];
}
