import type { Interval } from "#app/core/time/interval.ts";
import { intervalsOf, isSold, type Plan, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import type { DemoUser } from "./demo-user.ts";
import { addressOf } from "./address.ts";
import type { Ago, FindUser, Person, DemoEvent } from "./replay-demo.ts";

const soldBy = (config: ProductConfig): Plan[] => config.plans.filter(isSold);
const sold = soldBy(product).map(({ id }) => id);
/** The smallest and the largest plan that can be bought, under any names. */
export const [small = "", large = sold.at(-1) ?? ""] = [sold[0], sold.at(-1)];

/** A story that only some products support says in `needs` what it needs. */
export const person = (name: string, shows: string, events: DemoEvent[], needs?: Person["needs"]): Person => ({
  address: addressOf(name),
  shows,
  events,
  ...(needs && { needs }),
});

export const ago = (ago: Ago, play: (who: DemoUser, meets: FindUser) => Promise<unknown>): DemoEvent => ({ ago, play });

type Profile = { name: string; locale?: string; timeZone: string };

/** Each person signs up once; their other actions come after that. */
export const signsUp = (when: Ago, profile: Profile, friend?: string): DemoEvent =>
  ago(when, (who, meets) => who.signsUp(profile, friend === undefined ? undefined : meets(addressOf(friend))));

export const berlin = "Europe/Berlin";
export const london = "Europe/London";

/** Every plan that can be bought, cheapest first. */
export function choicesOf(config: ProductConfig): { planId: string; interval: Interval }[] {
  return soldBy(config).flatMap((plan) => intervalsOf(plan).map((interval) => ({ planId: plan.id, interval })));
}

export const needsTwoChoices = (config: ProductConfig) => choicesOf(config).length > 1;
export const needsTwoPlans = (config: ProductConfig) => soldBy(config).length > 1;
/** The smallest plan is sold by all of these intervals. */
export const needs =
  (...wanted: Interval[]) =>
  (config: ProductConfig) =>
    wanted.every((interval) => soldBy(config)[0]?.prices?.[interval] !== undefined);
/** Two plans between which an upgrade is immediate. A change from yearly to monthly isn't: it happens when the year ends. */
export const needsUpgrade = (config: ProductConfig) =>
  needsTwoPlans(config) && (needs("month")(config) || soldBy(config).at(-1)?.prices?.month === undefined);
